import { type Diagnostic, isMapping, type JsonObject, parseYaml, type SourceFile, type Span } from '@unroll/engine';
import { mistake } from '../../errors/mistake-in-file.ts';
import { passedOver } from '../../openapi/passed-over.ts';
import {
  cutMessage,
  type OpenApiOperation as Operation,
  readOperations,
  unreadMessage,
  unreadPathMessage,
  unreadPaths,
} from '../../openapi/read-operations.ts';
import type { ToolOperation } from './tool-definition.ts';

/** An operation as a tool is made of it. */
export interface OpenApiOperation {
  readonly operation: ToolOperation;
  readonly description: string;
  readonly parameters: JsonObject;
  /** In its document. */
  readonly place: Span | undefined;
  /** What a model is not told of it, or what a request would lack. */
  readonly doubts: readonly Diagnostic[];
  /** A method that changes nothing (RFC 9110, 9.2.1). */
  readonly isSafe: boolean;
}

export interface ReadOpenApi {
  readonly operations: readonly OpenApiOperation[];
  readonly diagnostics: readonly Diagnostic[];
}

const safeVerbs = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/**
 * The operations of an OpenAPI document (YAML or JSON), each as a tool: its parameters and the members of its JSON body
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
  const operations = readOperations(value);
  const placeOf = ({ path, verb }: Operation): Span | undefined => locate(['paths', path, verb.toLowerCase()], 'key');
  const lost = unreadPaths(value).map((one) => ({
    ...mistake('TOOL_OPENAPI', unreadPathMessage(one), locate(['paths', one.path], 'key'), noOtherFile),
    severity: 'warning' as const,
  }));
  const unnamed = operations.filter(({ operationId }) => operationId === '');
  const again = twice(operations);
  const left = [...unnamed, ...again];
  const strange = passedOver(value).map(({ operationId, path, part, message, help }) => {
    const warning = mistake('TOOL_OPENAPI', message, locate(path, part), help);
    return { operationId, diagnostic: { ...warning, severity: 'warning' as const } };
  });
  const strangeIn = (id: string | undefined): readonly Diagnostic[] =>
    strange.flatMap(({ operationId, diagnostic }) => (operationId === id ? [diagnostic] : []));
  const read = operations.filter((one) => !left.includes(one)).map((one) => toolOperation(one, placeOf(one)));
  return {
    operations: read.map((one) => ({ ...one, doubts: [...strangeIn(one.operation.operationId), ...one.doubts] })),
    diagnostics: [
      ...diagnostics,
      ...strangeIn(undefined),
      ...lost,
      ...again.map((one) => {
        const message = `${one.verb} ${one.path} has the operationId "${one.operationId}" of another operation`;
        return mistake('TOOL_OPENAPI', message, placeOf(one), 'give each operation its own: it names the tool');
      }),
      ...unnamed.map((one) => {
        const message = `${one.verb} ${one.path} has no operationId, which names the tool`;
        return mistake('TOOL_OPENAPI', message, placeOf(one));
      }),
    ],
  };
}

const noOtherFile = 'write it into the document: no other file is read';

/** Operations that are called as one before them. */
function twice(operations: readonly Operation[]): readonly Operation[] {
  const names = operations.map(({ operationId }) => operationId);
  return operations.filter(({ operationId }, at) => operationId !== '' && names.indexOf(operationId) !== at);
}

function toolOperation(read: Operation, place: Span | undefined): OpenApiOperation {
  const { verb, path, operationId, summary, description, server, isElsewhere, keyPlace, body } = read;
  // What travels in cookies is the browser's, never the model's.
  const given = read.arguments.filter(({ places }) => places.some((one) => one !== 'cookie'));
  const forms = given.flatMap(({ name, forms: own }) => (own === undefined ? [] : [[name, own] as const]));
  const required = given.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    operation: {
      verb,
      path,
      operationId,
      places: Object.fromEntries(given.map(({ name, places }) => [name, places])),
      ...(forms.length === 0 ? {} : { forms: Object.fromEntries(forms) }),
      ...(body?.whole === undefined ? {} : { wholeBody: body.whole }),
      ...(body === undefined ? {} : { bodyType: body.type }),
      ...(server === undefined ? {} : { server }),
      isElsewhere,
      ...(keyPlace === undefined ? {} : { keyPlace }),
    },
    description: description || summary || operationId,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(given.map(({ name, schema }) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
    },
    place,
    doubts: doubtsOf(read, place),
    isSafe: safeVerbs.includes(verb),
  };
}

function doubtsOf(read: Operation, place: Span | undefined): readonly Diagnostic[] {
  const doubt = (message: string, help: string): Diagnostic => ({
    ...mistake('TOOL_OPENAPI', message, place, help),
    severity: 'warning',
  });
  const { verb, path, unread } = read;
  const filled = read.arguments.filter(({ places }) => places.includes('path')).map(({ name }) => `{${name}}`);
  const unfilled = (path.match(/\{[^{}]*\}/g) ?? []).filter((one) => !filled.includes(one));
  const cookies = read.arguments.filter(({ places, isRequired }) => isRequired && places.join() === 'cookie');
  return [
    ...(read.isCut ? [doubt(cutMessage(read), 'a model is told nothing of what is beyond them')] : []),
    ...unread.map((ref) => doubt(unreadMessage(read, ref), noOtherFile)),
    ...cookies.map(({ name }) => {
      const message = `${verb} ${path} needs the cookie "${name}", and no cookie is sent`;
      return doubt(message, 'a call over HTTP will fail');
    }),
    ...unfilled.map((one) => {
      const message = `no parameter of ${verb} ${path} says what ${one} is`;
      return doubt(message, 'a call over HTTP will fail');
    }),
  ];
}
