import { type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import { askForBytes } from '../../http/ask-for-bytes.ts';
import type { ApiAnswer, ApiRequest } from './run-action.ts';

/** A server that answers for the APIs of ToolBench: StableToolBench's, or `flow tools serve`. */
export interface VirtualApiServer {
  /** With its path: `http://localhost:8080/virtual`. */
  readonly url: string;
  /** `toolbench_key`. */
  readonly key?: string;
  /** 15,000, as in ToolBench. */
  readonly timeoutMs?: number;
  /** Bytes of an answer that are read; 1 MiB. */
  readonly maxBytes?: number;
}

/**
 * Asks for one call of an API by StableToolBench's contract: `POST {category, tool_name, api_name, tool_input, strip,
 * toolbench_key}` gives `{error, response}`. Asked once; an answer that is no text, no JSON or too large has no body, and a
 * server that cannot be reached is one of status 503.
 */
export async function askVirtualApi(
  request: ApiRequest,
  { url, key = '', timeoutMs = 15_000, maxBytes = 1_048_576 }: VirtualApiServer,
  signal?: AbortSignal,
): Promise<ApiAnswer> {
  const timer = AbortSignal.timeout(timeoutMs);
  const answer = await askForBytes({
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: stringifyJson({ ...request, toolbench_key: key }),
    signal: signal === undefined ? timer : AbortSignal.any([signal, timer]),
    maxBytes,
  });
  if (answer.ok) return { type: 'answer', status: answer.status, body: jsonOf(answer.bytes) };
  if (timer.aborted) return { type: 'timeout' };
  return { type: 'answer', status: answer.code === 'TOO_LARGE' ? 200 : 503, body: undefined };
}

function jsonOf(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
