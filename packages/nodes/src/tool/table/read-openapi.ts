import { type Diagnostic, parseYaml, type SourceFile, type Value, type Values } from '@unroll/engine';
import type { ToolOperation } from './tool-definition.ts';
import { isMapping, mistake } from './written-tools.ts';

/** An operation as a tool is made of it. */
export interface OpenApiOperation {
  readonly operation: ToolOperation;
  readonly description: string;
  readonly parameters: Values;
  /** A method that changes nothing (RFC 9110, 9.2.1). */
  readonly isSafe: boolean;
}

export interface ReadOpenApi {
  readonly operations: readonly OpenApiOperation[];
  readonly diagnostics: readonly Diagnostic[];
}

const verbs = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const safeVerbs = ['get', 'head', 'options', 'trace'];

/**
 * The operations of an OpenAPI 3 document (YAML or JSON), each as a tool: its parameters and the members of its JSON body
 * become one object of arguments. References (`$ref`) within the document are resolved.
 */
export function readOpenApi(file: SourceFile): ReadOpenApi {
  const { value, diagnostics, locate } = parseYaml(file);
  const refuse = (message: string, path: readonly (string | number)[]): ReadOpenApi => ({
    operations: [],
    diagnostics: [...diagnostics, mistake('TOOL_OPENAPI', message, locate(path))],
  });
  if (value === undefined) return { operations: [], diagnostics };
  if (!isMapping(value) || !isMapping(value['paths'])) {
    return refuse(`${file.path} is no OpenAPI document: it has no paths`, []);
  }
  const written = writtenOperations(value['paths'], value);
  const named = written.filter(({ operation }) => typeof operation['operationId'] === 'string');
  const unnamed = written.filter((one) => !named.includes(one));
  return {
    operations: named.map((one) => readOperation(one, value)),
    diagnostics: [
      ...diagnostics,
      ...unnamed.map(({ path, verb }) => {
        const message = `${verb.toUpperCase()} ${path} has no operationId, which names the tool`;
        return mistake('TOOL_OPENAPI', message, locate(['paths', path, verb], 'key'));
      }),
    ],
  };
}

interface WrittenOperation {
  readonly path: string;
  readonly verb: string;
  readonly operation: Values;
  readonly item: Values;
}

function writtenOperations(paths: Values, document: Values): readonly WrittenOperation[] {
  return Object.entries(paths).flatMap(([path, written]) => {
    const item = resolved(written, document);
    if (!isMapping(item)) return [];
    return verbs.flatMap((verb) => {
      const operation = item[verb];
      return isMapping(operation) ? [{ path, verb, operation, item }] : [];
    });
  });
}

type Place = ToolOperation['places'][string];

interface Argument {
  readonly name: string;
  readonly place: Place;
  readonly isRequired: boolean;
  readonly schema: Value;
}

function readOperation({ path, verb, operation: written, item }: WrittenOperation, document: Values): OpenApiOperation {
  const listed = [...listOf(item['parameters']), ...listOf(written['parameters'])];
  const parameters = listed.flatMap((one) => parameterOf(resolved(one, document), document));
  const body = bodyOf(resolved(written['requestBody'] ?? null, document), document);
  const byName = new Map([...parameters, ...body.arguments].map((one) => [one.name, one]));
  const all = [...byName.values()];
  const [server] = listOf(written['servers'] ?? item['servers'] ?? document['servers']);
  const url = isMapping(server) ? server['url'] : undefined;
  const required = all.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    operation: {
      verb: verb.toUpperCase(),
      path,
      operationId: String(written['operationId']),
      places: Object.fromEntries(all.map(({ name, place }) => [name, place])),
      ...(body.whole === undefined ? {} : { wholeBody: body.whole }),
      ...(body.type === undefined ? {} : { bodyType: body.type }),
      ...(typeof url === 'string' ? { server: url } : {}),
    },
    description: textOf(written['description']) || textOf(written['summary']) || String(written['operationId']),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
    },
    isSafe: safeVerbs.includes(verb),
  };
}

function parameterOf(written: Value, document: Values): readonly Argument[] {
  if (!isMapping(written)) return [];
  const { name, in: place, required, schema = {}, description } = written;
  if (typeof name !== 'string' || (place !== 'path' && place !== 'query' && place !== 'header')) return [];
  const own = inlined(schema, document);
  const told = isMapping(own) && own['description'] === undefined && typeof description === 'string';
  return [
    { name, place, isRequired: required === true || place === 'path', schema: told ? { ...own, description } : own },
  ];
}

interface Body {
  readonly arguments: readonly Argument[];
  readonly type?: string;
  readonly whole?: string;
}

/** JSON where the operation takes it, else the first type it takes. Members of an object are arguments of their own. */
function bodyOf(written: Value, document: Values): Body {
  if (!isMapping(written) || !isMapping(written['content'])) return { arguments: [] };
  const types = Object.keys(written['content']);
  const type = types.find((one) => /^application\/(?:[\w.+-]+\+)?json\b/.test(one)) ?? types[0];
  if (type === undefined) return { arguments: [] };
  const media = written['content'][type];
  const schema = inlined(isMapping(media) ? (media['schema'] ?? {}) : {}, document);
  const properties = isMapping(schema) ? schema['properties'] : undefined;
  if (!isMapping(properties)) {
    const isRequired = written['required'] === true;
    return { type, whole: 'body', arguments: [{ name: 'body', place: 'body', isRequired, schema }] };
  }
  const required = listOf(isMapping(schema) ? schema['required'] : undefined);
  const members = Object.entries(properties).map(
    ([name, one]): Argument => ({ name, place: 'body', isRequired: required.includes(name), schema: one }),
  );
  return { type, arguments: members };
}

/** The value a `$ref` within the document stands for; what leads nowhere stands as it is. */
function resolved(value: Value, document: Values, depth = 0): Value {
  if (!isMapping(value) || typeof value['$ref'] !== 'string' || depth > 20) return value;
  const { $ref: reference } = value;
  if (!reference.startsWith('#/')) return value;
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  let current: Value | undefined = document;
  for (const step of steps) current = isMapping(current) ? current[step] : undefined;
  return current === undefined ? value : resolved(current, document, depth + 1);
}

/** A schema with its references put in; one that holds itself ends as "anything". */
function inlined(value: Value, document: Values, above: readonly Value[] = []): Value {
  const found = resolved(value, document);
  if (typeof found !== 'object' || found === null || found instanceof Number) return found;
  if (above.includes(found)) return {};
  const inside = [...above, found];
  if (Array.isArray(found)) return (found as readonly Value[]).map((one) => inlined(one, document, inside));
  return Object.fromEntries(Object.entries(found as Values).map(([key, one]) => [key, inlined(one, document, inside)]));
}

function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}

function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
