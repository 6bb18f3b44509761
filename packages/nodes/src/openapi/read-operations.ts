import { isMapping, type JsonObject, type JsonValue, listOf, mappingOf, textOf } from '@unroll/engine';
import { type Inlined, inlined, maxLevels, maxValues, resolved } from './inlined.ts';

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
  /** Parameters, then members of the body; those of one name are one argument. */
  readonly arguments: readonly OperationArgument[];
  readonly body?: OperationBody;
  /** First server of the operation, its path or the document; variables in it have their defaults. */
  readonly server?: string;
  /** Whether that is at another origin than the document's own server. */
  readonly isElsewhere: boolean;
  readonly responses: readonly OperationResponse[];
  /** Whether its arguments come to more values or levels than are read: what is beyond them stands as an empty schema. */
  readonly isCut: boolean;
  /** `$ref`s that stand in the place of parameters or of the body, and lead to nothing in the document. */
  readonly unread: readonly string[];
}

export type ArgumentPlace = 'path' | 'query' | 'header' | 'cookie' | 'body';

export interface OperationResponse {
  /** `200`, `4XX`, `default`. */
  readonly status: string;
  readonly description: string;
  /** JSON Schema's type of the first kind of content; empty where none is told. */
  readonly type: string;
}

interface OperationArgument {
  readonly name: string;
  /** All that its value travels in: `/orders/{id}` may take an `id` in its body as well. */
  readonly places: readonly ArgumentPlace[];
  readonly isRequired: boolean;
  /** JSON Schema of the last of its places; a parameter's description stands in it. */
  readonly schema: JsonObject;
}

/** An argument as one place of it is written. */
type WrittenArgument = Omit<OperationArgument, 'places'> & { readonly place: ArgumentPlace };

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
  const server = serverOf(operation, item, document);
  return {
    verb: verb.toUpperCase(),
    path,
    operationId: optionalText(operation['operationId']),
    summary: optionalText(operation['summary']),
    description: optionalText(operation['description']),
    tags: listOf(operation['tags']).map(String),
    arguments: joined([...parameters.flatMap(argumentOf), ...members]),
    ...(body === undefined ? {} : { body }),
    ...(server === '' ? {} : { server }),
    isElsewhere: server !== '' && originOf(server) !== originOf(serverOf({}, {}, document)),
    responses: responsesOf(operation, document),
    isCut: [shared, own, taken].some(({ isCut }) => isCut),
    unread: [...parameters, mappingOf(taken.value)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
  };
}

/** What an operation says of a place stands for what its path says; the same name in another place is the same argument. */
function joined(written: readonly WrittenArgument[]): readonly OperationArgument[] {
  const byPlace = new Map(written.map((one) => [`${one.place} ${one.name}`, one]));
  return [...Map.groupBy(byPlace.values(), ({ name }) => name)].map(([name, ones]) => ({
    name,
    places: ones.map(({ place }) => place),
    isRequired: ones.some(({ isRequired }) => isRequired),
    schema: ones.at(-1)?.schema ?? {},
  }));
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
function argumentOf(parameter: JsonObject): readonly WrittenArgument[] {
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
): { readonly body?: OperationBody; readonly members: readonly WrittenArgument[] } {
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
  if (first !== undefined) return serverAddress(mappingOf(first));
  const { host, basePath, schemes } = document;
  return host === undefined
    ? ''
    : `${optionalText(listOf(schemes)[0]) || 'https'}://${optionalText(host)}${optionalText(basePath)}`;
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? '';
}

/** Empty where a variable has no default, which OpenAPI asks for: the address is not known then. */
function serverAddress({ url, variables }: JsonObject): string {
  const known = mappingOf(variables);
  const filled = optionalText(url).replaceAll(/\{([^{}]*)\}/g, (written, name: string) => {
    const value = Object.hasOwn(known, name) ? mappingOf(known[name])['default'] : undefined;
    return value === undefined || value === null ? written : String(value);
  });
  return /[{}]/.test(filled) ? '' : filled;
}

function optionalText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** What is told where `isCut`: what a model would be given says less than the document does. */
export function cutMessage({ verb, path }: OpenApiOperation): string {
  return `the arguments of ${verb} ${path} come to more than ${maxValues} values or ${maxLevels} levels`;
}

/** What is told of each `$ref` of `unread`. */
export function unreadMessage({ verb, path }: OpenApiOperation, ref: string): string {
  return `${verb} ${path} names ${JSON.stringify(ref)}, which is not in the document: a model is told nothing of it`;
}
