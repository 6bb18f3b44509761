import type { JsonValue, ModelReply } from '@unroll/engine';
import * as z from 'zod';

/** How likely each token was; in the older form, of completions, as lists side by side. */
const toldLogprobs = z.union([
  z.looseObject({ content: z.array(z.looseObject({ token: z.string(), logprob: z.number() })).min(1) }),
  z.looseObject({ tokens: z.array(z.string()).min(1), token_logprobs: z.array(z.number().nullable()) }),
]);

interface Answer {
  readonly ok: true;
  readonly reply: ModelReply;
}

/** The answer with how likely its tokens were, where the service tells it in a form that can be used. */
export function withLogprobs<Unread extends { readonly ok: false }>(
  read: Answer | Unread,
  logprobs: unknown,
): Answer | Unread {
  if (!read.ok || !toldLogprobs.safeParse(logprobs).success) return read;
  return { ok: true, reply: { ...read.reply, logprobs: logprobs as JsonValue } };
}
