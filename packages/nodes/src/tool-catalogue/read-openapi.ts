import type { Value, Values } from '@unroll/engine';
import type { DescribedTool } from './catalogue-tool.ts';
import { isMapping, listOf, mappingOf, textOf } from './value-shapes.ts';

const verbs = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** A tool with where in its document it is described. */
export interface FoundTool {
  readonly tool: DescribedTool;
  readonly path: readonly (string | number)[];
}

/**
 * Every operation of an OpenAPI document (3.x, or Swagger 2.0) as a tool. Its arguments are the parameters of path, query
 * and header and the members of a JSON body, `$ref`s within the document filled in; `call` says where each travels.
 */
export function readOpenApi(document: Values): readonly FoundTool[] {
  return Object.entries(mappingOf(document['paths'])).flatMap(([path, item]) => {
    const shared = listOf(mappingOf(item)['parameters']);
    return verbs
      .filter((verb) => isMapping(mappingOf(item)[verb]))
      .map((verb) => ({
        tool: toolOf(document, path, verb, mappingOf(mappingOf(item)[verb]), shared),
        path: ['paths', path, verb],
      }));
  });
}

function toolOf(
  document: Values,
  path: string,
  verb: string,
  operation: Values,
  shared: readonly Value[],
): DescribedTool {
  const given = [...shared, ...listOf(operation['parameters'])].map((one) => mappingOf(filledIn(one, document)));
  const fields = [...given.flatMap(argumentOf), ...bodyArguments(operation, given, document)];
  const required = [...new Set(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name))];
  const texts = [textOf(operation['summary']), textOf(operation['description'])].filter((text) => text !== '');
  return {
    own: textOf(operation['operationId']) || `${verb} ${path}`,
    group: textOf(mappingOf(document['info'])['title']),
    category: textOf(listOf(operation['tags'])[0]),
    description: [...new Set(texts)].join('\n'),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    call: {
      method: verb.toUpperCase(),
      path,
      server: serverOf(document),
      in: Object.fromEntries(fields.map(({ name, place }) => [name, place])),
    },
  };
}

interface Argument {
  readonly name: string;
  readonly schema: Values;
  readonly isRequired: boolean;
  /** `path`, `query`, `header`, `cookie` or `body`. */
  readonly place: string;
}

function argumentOf(parameter: Values): readonly Argument[] {
  const place = textOf(parameter['in']);
  const name = textOf(parameter['name']);
  if (name === '' || place === 'body' || place === '') return [];
  const { name: _, in: __, required, schema, description, example, ...inline } = parameter;
  const described = description === undefined ? {} : { description };
  const shape = schema === undefined ? inline : mappingOf(schema);
  return [{ name, schema: { ...shape, ...described }, isRequired: required === true, place }];
}

/** The members of a JSON object that is the body; any other body is the argument `body`. */
function bodyArguments(operation: Values, given: readonly Values[], document: Values): readonly Argument[] {
  const content = mappingOf(mappingOf(filledIn(operation['requestBody'] ?? null, document))['content']);
  const media = mappingOf(content['application/json'] ?? Object.values(content)[0]);
  const old = given.find((parameter) => parameter['in'] === 'body');
  const written = media['schema'] ?? old?.['schema'];
  if (written === undefined) return [];
  const schema = mappingOf(filledIn(written, document));
  if (!isMapping(schema['properties'])) return [{ name: 'body', schema, isRequired: true, place: 'body' }];
  const required = listOf(schema['required']);
  return Object.entries(mappingOf(schema['properties'])).map(([name, member]) => ({
    name,
    schema: mappingOf(member),
    isRequired: required.includes(name),
    place: 'body',
  }));
}

function serverOf(document: Values): string {
  const [first] = listOf(document['servers']);
  if (first !== undefined) return textOf(mappingOf(first)['url']);
  const { host, basePath, schemes } = document;
  return host === undefined ? '' : `${textOf(listOf(schemes)[0]) || 'https'}://${textOf(host)}${textOf(basePath)}`;
}

/** A value with what its `$ref`s name in their place; one that leads round in a circle stays an empty schema. */
function filledIn(value: Value, document: Values, open: readonly string[] = []): Value {
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => filledIn(item, document, open));
  if (!isMapping(value)) return value;
  const reference = value['$ref'];
  if (typeof reference === 'string') {
    if (open.includes(reference)) return {};
    return filledIn(named(reference, document), document, [...open, reference]);
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filledIn(item, document, open)]));
}

/** What a reference within the document names (RFC 6901); an empty schema where there is nothing. */
function named(reference: string, document: Values): Value {
  if (!reference.startsWith('#/')) return {};
  let found: Value = document;
  for (const part of reference.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isMapping(found) || found[name] === undefined) return {};
    found = found[name];
  }
  return found;
}
