import { boundedMatch, type JsonValue, jsonOrText, mayBeSlow, plainNumber } from '@unroll/engine';
import * as z from 'zod';
import { regexProblem } from './regex.ts';
import { comparableText } from './texts.ts';

export const idParameters = z
  .strictObject({
    k: z.int().min(1).optional().describe('How many of the first count; `recall@5` says the same.'),
    id: z.string().min(1).default('id').describe('Key of the id, where members of the list are mappings.'),
    id_pattern: z
      .string()
      .default('^\\[([^\\]\\s]+)\\]')
      .describe('Where what was returned is one text: finds each id, by its first group.'),
  })
  .superRefine(({ id_pattern: pattern }, context) => {
    const problem = regexProblem(pattern, 'u');
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['id_pattern'], message: problem });
  });

/**
 * Ids of what was returned, best first: of a text what the pattern finds in its lines, of a list that of each member, a
 * text without a match being the id itself and a mapping saying it by its key.
 */
export function idReader({
  id,
  id_pattern: pattern,
}: Pick<z.output<typeof idParameters>, 'id' | 'id_pattern'>): (value: JsonValue) => readonly string[] {
  const compiled = new RegExp(pattern, 'gmu');
  const inText = (text: string): readonly string[] => {
    const find = (): readonly string[] => [...text.matchAll(compiled)].map(([whole, group]) => group ?? whole);
    return mayBeSlow(pattern, text) ? boundedMatch(find) : find();
  };
  const ofMember = (member: JsonValue): readonly string[] => {
    if (typeof member === 'string') {
      const found = inText(member);
      return found.length > 0 ? found : [member];
    }
    if (typeof member !== 'object' || member === null || member instanceof Number) return [idText(member)];
    const own = (member as Readonly<Record<string, JsonValue>>)[id];
    return own === undefined || own === null ? [] : [idText(own)];
  };
  return (value) => {
    if (typeof value === 'string') return inText(value);
    return Array.isArray(value) ? (value as readonly JsonValue[]).flatMap(ofMember) : [];
  };
}

/** The list that a text holds as JSON: in a cell of a CSV file, or from code that gives its results as a text. */
export function listOfText(value: JsonValue): JsonValue {
  const held = jsonOrText(value);
  return Array.isArray(held) ? held : value;
}

/** A text such as `['a', 'b']`, as Python writes a list into a cell of a CSV file: a list for whoever wrote it, and no JSON. */
export function isUnreadableList(value: JsonValue): boolean {
  const isList = typeof value === 'string' && /^\s*\[\s*(['"]).*\1\s*\]\s*$/s.test(value);
  return isList && listOfText(value) === value;
}

/** `1.0` is the id `1`. */
function idText(value: JsonValue): string {
  return comparableText(plainNumber(value) ?? value);
}

/**
 * Ids of an expectation: one, or a list; a cell that was left empty expects none. Undefined where anything in it cannot be an id: relevance
 * by id, a mapping round the id.
 */
export function expectedIds(expected: JsonValue): ReadonlySet<string> | undefined {
  const whole = listOfText(expected);
  const ids = Array.isArray(whole) ? (whole as readonly JsonValue[]) : [whole];
  const given = ids.filter((id) => id !== null && id !== '');
  return given.every((id) => typeof id === 'string' || plainNumber(id) !== undefined) ? idsIn(given) : undefined;
}

export function idsIn(ids: readonly JsonValue[]): ReadonlySet<string> {
  return new Set(ids.map(idText));
}
