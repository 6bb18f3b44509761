import type { Place, Sentence, SentencePart } from '../studio-contract/contract.ts';

/** Pieces of sentences; each sentence carries the name of the rule it comes from. */

export function sentence(rule: string, ...parts: readonly (string | SentencePart)[]): Sentence {
  return { rule, parts: parts.map((part) => (typeof part === 'string' ? { text: part, as: 'text' } : part)) };
}

/** Of a node, file, function or metric. */
export function name(text: string, to?: Place): SentencePart {
  return { text, as: 'name', ...(to === undefined ? {} : { to }) };
}

export function figure(text: string, to?: Place): SentencePart {
  return { text, as: 'figure', ...(to === undefined ? {} : { to }) };
}

export function bad(text: string, to?: Place): SentencePart {
  return { text, as: 'text', tone: 'bad', ...(to === undefined ? {} : { to }) };
}

/** Why something failed, as it was recorded. */
export function reason(code: string, message: string): readonly SentencePart[] {
  return [
    { text: `${code}: `, as: 'text' },
    { text: message, as: 'told' },
  ];
}
