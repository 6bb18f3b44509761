import { isMapping, type JsonObject, type JsonValue, listOf, mappingOf, textOf } from '@unroll/engine';
import { type Inlined, inlined, maxLevels, maxValues, resolved } from './inlined.ts';
import { type KeyPlace, keyPlaceOf } from './key-place.ts';
import { argumentOf, joined, type OperationArgument } from './operation-arguments.ts';
import { bodyOf, type OperationBody } from './operation-body.ts';

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
  /** Where the service wants its key; in `Authorization` where absent. */
  readonly keyPlace?: KeyPlace;
  readonly responses: readonly OperationResponse[];
  /** Whether its arguments come to more values or levels than are read: what is beyond them stands as an empty schema. */
  readonly isCut: boolean;
  /** `$ref`s that stand in the place of parameters or of the body, and lead to nothing in the document. */
  readonly unread: readonly string[];
}

export interface OperationResponse {
  /** `200`, `4XX`, `default`. */
  readonly status: string;
  readonly description: string;
  /** JSON Schema's type of the first kind of content; empty where none is told. */
  readonly type: string;
}

export const verbs: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]);

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
  const consumed = listOf(operation['consumes'] ?? document['consumes']).map(String);
  const { body, members } = bodyOf(mappingOf(taken.value), parameters, consumed);

  const server = serverOf(operation, item, document);
  const keyPlace = keyPlaceOf(operation, document);
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
    ...(keyPlace === undefined ? {} : { keyPlace }),
    isElsewhere: server !== '' && originOf(server) !== originOf(serverOf({}, {}, document)),
    responses: responsesOf(operation, document),
    isCut: [shared, own, taken].some(({ isCut }) => isCut),
    unread: [...parameters, mappingOf(taken.value)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
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

/** Paths that stand in the place of a `$ref` which leads to nothing in the document: none of their operations is read. */
export function unreadPaths(document: JsonObject): readonly { readonly path: string; readonly ref: string }[] {
  return Object.entries(mappingOf(document['paths'])).flatMap(([path, written]) => {
    const ref = mappingOf(resolved(written, document))['$ref'];
    return typeof ref === 'string' ? [{ path, ref }] : [];
  });
}

/** What is told of each of `unreadPaths`. */
export function unreadPathMessage({ path, ref }: ReturnType<typeof unreadPaths>[number]): string {
  return `the path ${path} is ${JSON.stringify(ref)}, which is not in the document: its operations are left out`;
}
