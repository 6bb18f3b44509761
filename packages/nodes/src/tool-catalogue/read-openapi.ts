import { type JsonObject, type JsonValue, mappingOf } from '@unroll/engine';
import {
  cutMessage,
  type OpenApiOperation,
  readOperations,
  unreadMessage,
  unreadPathMessage,
  unreadPaths,
} from '../openapi/read-operations.ts';
import type { DescribedTool } from './catalogue-tool.ts';

/** What is no tool, and why. */
export interface Misread {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A tool with where in its document it is described. */
export interface FoundTool {
  readonly tool: DescribedTool;
  readonly path: readonly (string | number)[];
}

/**
 * Every operation of an OpenAPI document (3.x, or Swagger 2.0) as a tool. Its arguments are the parameters of path, query
 * and header and the members of a JSON body, `$ref`s within the document filled in; `call` says where each travels.
 */
export function readOpenApi(document: JsonObject): readonly (FoundTool | Misread)[] {
  const title = mappingOf(document['info'])['title'];
  const group = typeof title === 'string' ? title : '';
  const lost = unreadPaths(document).map((one) => ({ path: ['paths', one.path], message: unreadPathMessage(one) }));
  const read = readOperations(document).map((operation) => {
    const path = ['paths', operation.path, operation.verb.toLowerCase()];
    const message = operation.isCut
      ? cutMessage(operation)
      : operation.unread.map((ref) => unreadMessage(operation, ref))[0];
    return message === undefined ? { path, tool: toolOf(operation, group) } : { path, message };
  });
  return [...lost, ...read];
}

function toolOf(operation: OpenApiOperation, group: string): DescribedTool {
  const { verb, path, operationId, summary, description, tags, arguments: given, server = '' } = operation;
  const required = given.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const texts = [summary, description].filter((text) => text !== '');
  return {
    own: operationId || `${verb.toLowerCase()} ${path}`,
    group,
    category: tags[0] ?? '',
    description: [...new Set(texts)].join('\n'),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(given.map(({ name, schema }) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    call: { method: verb, path, server, in: Object.fromEntries(given.map(placesOf)) },
  };
}

function placesOf({ name, places }: OpenApiOperation['arguments'][number]): readonly [string, JsonValue] {
  const [only = 'body', ...others] = places;
  return [name, others.length === 0 ? only : places];
}
