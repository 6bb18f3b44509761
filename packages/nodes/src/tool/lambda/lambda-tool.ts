import { Float, type JsonObject, type JsonValue, type NodeError, parseJson, stringifyJson } from '@unroll/engine';
import { compileJsonSchema, type SchemaCheck } from '@unroll/engine/json-schema';
import type { ArgumentDefinition } from './argument-definition.ts';
import { argumentSchema } from './argument-schema.ts';
import { callTimeoutMs, invokeLambda, type LambdaInvocation, type LambdaTarget } from './invoke-lambda.ts';
import { readLambdaResponse } from './read-response.ts';

export interface LambdaToolDefinition {
  readonly name: string;
  readonly target: LambdaTarget;
  /** Arguments by the manual's types; absent: any object is sent. */
  readonly args?: readonly ArgumentDefinition[];
  /** `handle.logging_args_schema`. */
  readonly loggingArgsSchema?: boolean;
  /** `handle.raise_function_processing_error`; true where it is not written. */
  readonly raiseFunctionProcessingError?: boolean;
  readonly timeoutMs?: number;
  /** Runs the program elsewhere than on AWS Lambda. */
  readonly invoke?: LambdaInvoke;
}

/** One synchronous invocation of a user program. @param payload JSON text of the arguments */
export type LambdaInvoke = (payload: string, signal: AbortSignal) => Promise<LambdaInvocation>;

export interface LogLine {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** What became of a call; `toModel` tells errors the model can correct (its own arguments) from an abnormal end. */
export type ToolCallResult =
  | { readonly ok: true; readonly text: string; readonly requestId?: string | undefined }
  | {
      readonly ok: false;
      readonly toModel: boolean;
      readonly error: NodeError;
      readonly requestId?: string | undefined;
    };

export interface LambdaTool {
  readonly name: string;
  readonly schema: JsonObject;
  /** @param args the arguments as the model wrote them, a JSON text or a value */
  call(args: string | JsonObject, signal: AbortSignal): Promise<ToolCallResult>;
}

/**
 * A user program on AWS Lambda as a tool. Arguments that do not fit their schema are never sent. Logged are the tool's
 * name and AWS's request id, and the schema when asked for; arguments, results and messages of errors never.
 *
 * @throws Error `bug: …` when the definition did not pass `argumentSchema`
 */
export function createLambdaTool(definition: LambdaToolDefinition, log: (line: LogLine) => void): LambdaTool {
  const { name, args } = definition;
  const built = args === undefined ? { ok: true as const, schema: { type: 'object' } } : argumentSchema(args);
  if (!built.ok) throw new Error(`bug: the arguments of ${name} were not checked`);
  const check = compileJsonSchema(args === undefined ? built.schema : closed(built.schema));
  if (definition.loggingArgsSchema === true) {
    log({ level: 'info', text: `tool ${name}: JSON schema of the arguments ${stringifyJson(built.schema)}` });
  }
  return {
    name,
    schema: built.schema,
    async call(given, signal) {
      const read = readArguments(given, check);
      if (typeof read !== 'string') return read;
      return await send(definition, read, signal, log);
    },
  };
}

/** A member that no schema names is refused, at every depth. */
function closed(schema: JsonValue): JsonObject {
  const copy: Record<string, JsonValue> = { ...(schema as JsonObject) };
  if (copy['type'] === 'object') {
    const properties = copy['properties'] as JsonObject;
    copy['properties'] = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)]));
    copy['additionalProperties'] = false;
  }
  if (copy['items'] !== undefined) copy['items'] = closed(copy['items']);
  return copy;
}

function readArguments(given: string | JsonObject, check: SchemaCheck): string | ToolCallResult {
  let value: JsonValue;
  try {
    value = typeof given === 'string' ? parseJson(given) : given;
  } catch (error) {
    return unfit('MALFORMED_ARGUMENTS', `the arguments are no JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unfit('MALFORMED_ARGUMENTS', 'the arguments must be one JSON object');
  }
  if (!isWritable(value)) {
    return unfit('MALFORMED_ARGUMENTS', 'the arguments hold a number that JSON cannot write');
  }
  const problems = check(value).map(({ path, message }) => `${path === '' ? 'the arguments' : path} ${message}`);
  return problems.length === 0 ? stringifyJson(value) : unfit('UNFIT_ARGUMENTS', problems.join('; '));
}

/** Whether JSON has words for all numbers: not for infinite ones. */
function isWritable(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null || value instanceof Float) return true;
  return Object.values(value).every((member) => isWritable(member as JsonValue));
}

function unfit(code: string, message: string): ToolCallResult {
  return { ok: false, toModel: true, error: { code, message, retryable: false } };
}

async function send(
  { name, target, timeoutMs = callTimeoutMs, raiseFunctionProcessingError = true, invoke }: LambdaToolDefinition,
  payload: string,
  signal: AbortSignal,
  log: (line: LogLine) => void,
): Promise<ToolCallResult> {
  const invoked = await (invoke?.(payload, signal) ?? invokeLambda(target, payload, signal, timeoutMs));
  const { requestId } = invoked;
  const id = `tool ${name}, request id: ${requestId ?? 'none'}`;
  if (!invoked.ok) {
    log({ level: 'error', text: `${id}, failed: ${invoked.error.code}` });
    return { ok: false, toModel: false, error: invoked.error, requestId };
  }
  const { response } = invoked;
  const read = readLambdaResponse(response, raiseFunctionProcessingError);
  if (response.functionError !== undefined) {
    const level = read.ok ? 'warning' : 'error';
    log({ level, text: `${id}, the function ended with an error: errorType ${errorTypeOf(response.body)}` });
  } else if (read.ok) log({ level: 'info', text: id });
  else log({ level: 'error', text: `${id}, failed: ${read.error.code}` });
  return read.ok ? { ...read, requestId } : { ok: false, toModel: false, error: read.error, requestId };
}

function errorTypeOf(body: string): string {
  try {
    const { errorType } = parseJson(body) as { readonly errorType?: JsonValue };
    return typeof errorType === 'string' ? errorType : 'unknown';
  } catch {
    return 'unknown';
  }
}
