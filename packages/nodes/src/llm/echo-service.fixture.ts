import { isMapping, type JsonValue, type ModelService } from '@unroll/engine';

/** The file of a service that is added: it says what it was told last. */
export function echoService(): ModelService {
  return {
    call: async (_api, { messages }) => {
      const last = Array.isArray(messages) ? (messages.at(-1) as JsonValue) : null;
      const content = isMapping(last) ? (last['content'] ?? '') : '';
      return { ok: true, reply: { body: { role: 'assistant', content } } };
    },
  };
}
