import type { JsonValue, ModelRequest, ModelResult, ModelService, NodeError } from '@unroll/engine';

/** One answer of a script: given in order, or to the first request whose messages hold `when`. */
export interface ScriptedReply {
  readonly when?: string;
  /** A text, or a whole message such as `{content: null, function_call: {…}}`. */
  readonly reply?: JsonValue;
  /** The stop sequence that ended it. */
  readonly stop?: string;
  readonly error?: NodeError;
}

export interface ScriptedService extends ModelService {
  readonly requests: readonly ModelRequest[];
}

/** A model whose answers are written down beforehand. A request that nothing answers is an error. */
export function scriptedService(replies: readonly ScriptedReply[]): ScriptedService {
  const left = [...replies];
  const requests: ModelRequest[] = [];
  return {
    requests,
    answersInOrder: true,
    async call(_api, request): Promise<ModelResult> {
      requests.push(request);
      const sent = textsIn(request['messages'] ?? request['prompt'] ?? request['input'] ?? '').join('\n');
      const at = left.findIndex(({ when }) => when === undefined || sent.includes(when));
      const [found] = at < 0 ? [] : left.splice(at, 1);
      if (found === undefined)
        return {
          ok: false,
          error: { code: 'ScriptExhausted', message: 'no scripted reply is left for this request', retryable: false },
        };
      if (found.error !== undefined) return { ok: false, error: found.error };
      const reply = found.reply ?? null;
      const body = typeof reply === 'string' ? { role: 'assistant', content: reply } : reply;
      const { stop } = found;
      const choice = {
        index: 0,
        finish_reason: 'stop',
        ...(stop === undefined ? {} : { stop_reason: stop }),
        message: body,
      };
      return {
        ok: true,
        reply: { body, whole: { choices: [choice] }, usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 } },
      };
    },
  };
}

/** What is said in a request, without the names of roles and parts: each holds `user`. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null || value instanceof Number) return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([key, member]) => (key === 'role' || key === 'type' ? [] : textsIn(member)));
}
