import { isMapping, type JsonObject, type JsonValue, listOf, mappingOf, textOf } from '@unroll/engine';
import { type Inlined, inlined, maxValues, resolved } from './inlined.ts';

/** One operation of an OpenAPI document, its references filled in. */
export interface OpenApiOperation {
  /** Upper case. */
  readonly verb: string;
  /** Template form, `/orders/{id}`. */
  readonly path: string;
  /** Empty where the document gives none. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Parameters, then members of the body; of two with one name the later. */
  readonly arguments: readonly OperationArgument[];
  readonly body?: OperationBody;
  /** First server of the operation, its path or the document. */
  readonly server?: string;
  readonly responses: readonly OperationResponse[];
  /** Whether its arguments come to more values than are read: what is beyond them stands as an empty schema. */
  readonly isCut: boolean;
}

export interface OperationResponse {
  /** `200`, `4XX`, `default`. */
  readonly status: string;
  readonly description: string;
  /** JSON Schema's type of the first kind of content; empty where none is told. */
  readonly type: string;
}

interface OperationArgument {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie' | 'body';
  readonly isRequired: boolean;
  /** JSON Schema; a parameter's description stands in it. */
  readonly schema: JsonObject;
}

interface OperationBody {
  /** Media type: JSON where the operation takes it, else the first it takes. */
  readonly type: string;
  /** The argument that is the whole body, where the body is no object. */
  readonly whole?: string;
}

const verbs: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
const places = ['path', 'query', 'header', 'cookie'] as const;

/** The operations of an OpenAPI 3 document, or of a Swagger 2.0 one, in the order they are written. */
export function readOperations(document: JsonObject): readonly OpenApiOperation[] {
  return Object.entries(mappingOf(document['paths'])).flatMap(([path, written]) => {
    const item = mappingOf(resolved(written, document));
    const shared = inlined(item['parameters'] ?? [], document, [item]);
    return Object.entries(item).flatMap(([verb, member]) => {
      const operation = resolved(member, document);
      if (!verbs.has(verb) || !isMapping(operation)) return [];
      return [readOperation({ path, verb, item, operation, shared, document })];
    });
  });
}

interface Written {
  readonly path: string;
  readonly verb: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
  /** The parameters of all operations of the path. */
  readonly shared: Inlined;
  readonly document: JsonObject;
}

function readOperation({ path, verb, item, operation, shared, document }: Written): OpenApiOperation {
  const own = inlined(operation['parameters'] ?? [], document, [item, operation]);
  const taken = inlined(operation['requestBody'] ?? {}, document, [item, operation]);
  const parameters = [...listOf(shared.value), ...listOf(own.value)].map(mappingOf);
  const { body, members } = bodyOf(mappingOf(taken.value), parameters);
  const byName = new Map([...parameters.flatMap(argumentOf), ...members].map((one) => [one.name, one]));
  const server = serverOf(operation, item, document);
  return {
    verb: verb.toUpperCase(),
    path,
    operationId: optionalText(operation['operationId']),
    summary: optionalText(operation['summary']),
    description: optionalText(operation['description']),
    tags: listOf(operation['tags']).map(String),
    arguments: [...byName.values()],
    ...(body === undefined ? {} : { body }),
    ...(server === '' ? {} : { server }),
    responses: responsesOf(operation, document),
    isCut: [shared, own, taken].some(({ isCut }) => isCut),
  };
}

function responsesOf(operation: JsonObject, document: JsonObject): readonly OperationResponse[] {
  const at = (value: JsonValue | undefined): JsonObject => mappingOf(resolved(value ?? {}, document));
  return Object.entries(at(operation['responses'])).map(([status, written]) => {
    const { content, description } = at(written);
    const [media] = Object.values(at(content));
    const { type } = at(at(media)['schema']);
    return { status, description: textOf(description), type: textOf(type) };
  });
}

/** Swagger 2.0 writes the schema's keys beside the parameter's own. */
function argumentOf(parameter: JsonObject): readonly OperationArgument[] {
  const { name, in: written, required, schema, description, example: _, ...own } = parameter;
  const place = places.find((one) => one === written);
  if (typeof name !== 'string' || name === '' || place === undefined) return [];
  const shape = schema === undefined ? own : mappingOf(schema);
  const described = shape['description'] === undefined && typeof description === 'string' ? { description } : {};
  return [{ name, place, isRequired: required === true || place === 'path', schema: { ...shape, ...described } }];
}

function bodyOf(
  written: JsonObject,
  parameters: readonly JsonObject[],
): { readonly body?: OperationBody; readonly members: readonly OperationArgument[] } {
  const old = parameters.find((parameter) => parameter['in'] === 'body');
  const content = mappingOf(written['content']);
  const types = Object.keys(content);
  const type = types.find((one) => /^application\/(?:[\w.+-]+\+)?json\b/.test(one)) ?? types[0];
  if (type === undefined && old === undefined) return { members: [] };
  const schema = mappingOf(type === undefined ? old?.['schema'] : mappingOf(content[type])['schema']);
  const media = type ?? 'application/json';
  const { properties } = schema;
  if (!isMapping(properties)) {
    const isRequired = (type === undefined ? old : written)?.['required'] === true;
    return { body: { type: media, whole: 'body' }, members: [{ name: 'body', place: 'body', isRequired, schema }] };
  }
  const required = listOf(schema['required']);
  const members = Object.entries(mappingOf(properties)).map(([name, member]) => {
    return { name, place: 'body' as const, isRequired: required.includes(name), schema: mappingOf(member) };
  });
  return { body: { type: media }, members };
}

function serverOf(operation: JsonObject, item: JsonObject, document: JsonObject): string {
  const [first] = listOf(operation['servers'] ?? item['servers'] ?? document['servers']);
  if (first !== undefined) return optionalText(mappingOf(first)['url']);
  const { host, basePath, schemes } = document;
  return host === undefined
    ? ''
    : `${optionalText(listOf(schemes)[0]) || 'https'}://${optionalText(host)}${optionalText(basePath)}`;
}

function optionalText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** What is told where `isCut`: what a model would be given says less than the document does. */
export function cutMessage({ verb, path }: OpenApiOperation): string {
  return `the arguments of ${verb} ${path} come to more than ${maxValues} values`;
}
