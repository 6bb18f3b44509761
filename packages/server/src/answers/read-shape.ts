import { expectedSentence, meantIssues } from '@unroll/engine';
import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';

export type ReadShape<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

/** Reads what came from outside; the message has all that does not fit: `messages[0].role: must be one of user, assistant`. */
export function readShape<Schema extends z.ZodType>(schema: Schema, given: unknown): ReadShape<z.output<Schema>> {
  const read = schema.safeParse(given, { error: expectedSentence });
  if (read.success) return { ok: true, value: read.data };
  const messages = read.error.issues
    .flatMap(meantIssues)
    .map(({ path, message }) => [toDotPath(path), message].filter((part) => part !== '').join(': '));
  return { ok: false, message: messages.join('; ') };
}
