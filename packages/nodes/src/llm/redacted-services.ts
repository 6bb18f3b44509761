import {
  depthMessage,
  isTooDeep,
  type ModelCall,
  type ModelReply,
  type ModelResult,
  type ModelService,
  type Redactor,
  redactedError,
} from '@unroll/engine';
import { quoted, shownJson } from '../http/quoted.ts';
import type { OpenService } from './find-service.ts';

/** Services whose answers and failures hold no secret, whatever the model or the service says. */
export function redactedServices(open: OpenService, redactor: Redactor): OpenService {
  return async (connection) => {
    redactor.learnConnection(connection);
    const service = await open(connection);
    return service === undefined ? undefined : redactedService(service, connection.name, redactor);
  };
}

function redactedService(service: ModelService, name: string, redactor: Redactor): ModelService {
  return {
    async call(api, request, call) {
      const known = call.redactor ?? redactor;
      const { call: redacted, end } = redactedPieces(call, known);
      const result = await service.call(api, request, redacted);
      end();
      // Of vectors nothing but numbers is kept.
      return api === 'embedding' && result.ok ? result : redactedResult(shallow(result, name, known), known);
    },
  };
}

/** What looks at an answer walks over it level by level, as far as values may be deep. */
function shallow(result: ModelResult, name: string, redactor: Redactor): ModelResult {
  if (!result.ok || !(isTooDeep(result.reply.body) || isTooDeep(result.reply.whole))) return result;
  const message = `the answer of connection "${name}" is ${depthMessage()}`;
  const said = quoted(shownJson(result.reply.body), (text) => redactor.text(text));
  const service = said === undefined ? {} : { service: { said } };
  return { ok: false, error: { code: 'UnusableAnswer', message, retryable: true, ...service } };
}

/** A call whose pieces hold no secret; `end` tells what still waits. */
function redactedPieces(call: ModelCall, redactor: Redactor): { readonly call: ModelCall; readonly end: () => void } {
  const { onText } = call;
  if (onText === undefined) return { call, end: () => undefined };
  const pieces = redactor.pieces();
  const tell = (texts: readonly string[]): void => {
    for (const text of texts) onText(text);
  };
  return { call: { ...call, onText: (piece) => tell(pieces.push(piece)) }, end: () => tell(pieces.end()) };
}

function redactedResult(result: ModelResult, redactor: Redactor): ModelResult {
  if (!result.ok) return { ...result, error: redactedError(result.error, redactor) };
  const { body, whole } = result.reply;
  const redacted = { body: redactor.value(body), whole: redactor.value(whole) };
  if (redacted.body === body && redacted.whole === whole) return result;
  const { whole: _whole, ...reply } = redacted.body === body ? result.reply : withoutLogprobs(result.reply);
  return {
    ...result,
    reply: { ...reply, body: redacted.body, ...(redacted.whole === undefined ? {} : { whole: redacted.whole }) },
  };
}

/** Tokens would spell out a secret of the text, each a part of it. */
export function withoutLogprobs({ logprobs, ...reply }: ModelReply): ModelReply {
  if (logprobs === undefined) return reply;
  const warning = 'logprobs are left out: the answer held a secret';
  return { ...reply, warnings: [...(reply.warnings ?? []), warning] };
}
