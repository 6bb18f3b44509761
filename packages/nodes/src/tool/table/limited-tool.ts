import {
  type JsonObject,
  type JsonValue,
  longestTimerMs,
  type NodeError,
  PrepareError,
  RemoteValue,
  type Tool,
  type ToolCall,
  type ToolResult,
  textOrJson,
  thrownText,
} from '@unroll/engine';
import { compileJsonSchema, type SchemaCheck } from '@unroll/engine/json-schema';

/** What stands behind a tool, as it comes: it may hang, throw, answer too much or what is no text. */
export interface RawTool {
  readonly name: string;
  readonly parameters: JsonObject;
  /** Milliseconds; absent where `run` keeps the time itself. */
  readonly timeoutMs?: number;
  readonly maxBytes: number;
  run(given: JsonObject, call: ToolCall): Promise<ToolResult>;
}

/**
 * A tool's call as the contract wants it: never rejects, ends in time, sends no arguments that do not fit the schema, and
 * takes no answer that is binary or larger than allowed. What a result says changes nothing but its own record.
 */
export function limitedCall(raw: RawTool): Tool['call'] {
  const check = argumentsCheck(raw);
  return async (given, call) => {
    const problems = check(given).map(({ path, message }) => `${path === '' ? 'the arguments' : path} ${message}`);
    if (problems.length > 0) return toolFailure('UNFIT_ARGUMENTS', problems.join('; '), true);
    const result = await inTime(raw, given, call);
    return result.ok ? checkedResult(result, raw.maxBytes) : result;
  };
}

/** @throws PrepareError where a service describes its tool by what is no JSON Schema */
function argumentsCheck({ name, parameters }: RawTool): SchemaCheck {
  try {
    return compileJsonSchema(parameters);
  } catch (error) {
    const why = thrownText(error);
    const message = `the arguments of tool "${name}" are described by no JSON Schema that can be read: ${why}`;
    throw new PrepareError({ code: 'InvalidToolSchema', message, retryable: false });
  }
}

function inTime(raw: RawTool, given: JsonObject, call: ToolCall): Promise<ToolResult> {
  const { timeoutMs } = raw;
  const timer = new AbortController();
  const signal = AbortSignal.any([call.signal, timer.signal]);
  return new Promise((resolve) => {
    const end = (result: ToolResult): void => {
      clearTimeout(timeout);
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const stop = (): void =>
      end(
        call.signal.aborted
          ? toolFailure('CANCELED', `the call of ${raw.name} was stopped`)
          : toolFailure('TIMEOUT', `${raw.name} did not answer within ${(timeoutMs ?? 0) / 1000} s`),
      );
    const timeout =
      timeoutMs === undefined ? undefined : setTimeout(() => timer.abort(), Math.min(timeoutMs, longestTimerMs));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    started(raw, given, { ...call, signal }).then(end, (thrown) => end(toolFailure('TOOL_FAILED', String(thrown))));
  });
}

/** A tool that throws before its first promise fails like any other. */
async function started(raw: RawTool, given: JsonObject, call: ToolCall): Promise<ToolResult> {
  return await raw.run(given, call);
}

function checkedResult(result: Extract<ToolResult, { ok: true }>, maxBytes: number): ToolResult {
  const { requestId } = result;
  const traced = requestId === undefined ? {} : { requestId };
  if (holdsBinary(result.content))
    return { ...toolFailure('BINARY_RESULT', 'the tool answered with what is no text'), ...traced };
  const size = Buffer.byteLength(textOrJson(result.content));
  if (size <= maxBytes) return result;
  return { ...toolFailure('TOO_LARGE', `the tool answered ${size} bytes; at most ${maxBytes} are taken`), ...traced };
}

/** A text with a NUL in it, an object of Python or an image: nothing a model could read as text. */
function holdsBinary(value: JsonValue): boolean {
  const current: unknown = value;
  if (typeof current === 'string') return current.includes('\0');
  if (current instanceof RemoteValue) return true;
  if (typeof current !== 'object' || current === null || current instanceof Number) return false;
  return Object.values(current).some(holdsBinary);
}

/** @param more what is known of a service that failed, and whether another try may help */
export function toolFailure(
  code: string,
  message: string,
  toModel = false,
  more: Partial<Pick<NodeError, 'retryable' | 'service'>> = {},
): Extract<ToolResult, { ok: false }> {
  const error: NodeError = { code, message, retryable: false, ...more };
  return { ok: false, toModel, error };
}
