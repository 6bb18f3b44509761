import { expect, test } from 'vitest';
import * as z from 'zod';
import { meantIssues } from './meant-issues.ts';
import { expectedSentence } from './shape-text.ts';

const other = z.strictObject({ connection: z.string(), model: z.string().optional() });
const byKind = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('score'), is: z.enum(['pass', 'fail']) }),
  z.strictObject({ kind: z.literal('status'), of: z.array(z.union([z.string(), other])).max(2) }),
]);

test.for<readonly [title: string, schema: z.ZodType, given: unknown, told: readonly string[]]>([
  ['of no form', z.union([z.string(), other]), 5, [': must be a text or a mapping, not 5']],
  ['of no value', z.union([z.literal('all'), z.int()]), 'al', [': must be "all" or a number, not "al"']],
  [
    'of one form',
    z.union([z.string(), other]),
    { connection: 'a', model: [] },
    ['model: must be a text, not an empty list'],
  ],
  [
    'nearest by a name',
    z.union([z.strictObject({ record: z.string(), mode: z.string() }), z.strictObject({ replay: z.string() })]),
    { replya: 'a' },
    ['replay: must be a text', ': unknown key "replya", did you mean "replay"?'],
  ],
  ['an unknown kind', byKind, { kind: 'scores' }, ['kind: must be one of score, status, not "scores"']],
  ['no kind', byKind, {}, ['kind: must be one of score, status']],
  [
    'a known kind',
    byKind,
    { kind: 'score', is: 'pas' },
    ['is: must be one of pass, fail, not "pas", did you mean "pass"?'],
  ],
  [
    'a choice within a choice',
    byKind,
    { kind: 'status', of: ['a', { conection: 'b' }] },
    ['of.1.connection: must be a text', 'of.1: unknown key "conection", did you mean "connection"?'],
  ],
  ['too many', byKind, { kind: 'status', of: ['a', 'b', 'c'] }, ['of: must be a list of at most 2, not of 3']],
  ['a number that does not fit', z.number().multipleOf(5), 3, [': must be a multiple of 5, not 3']],
  [
    'a key',
    z.record(z.string().regex(/^[a-z]+$/), z.int()),
    { A: 1 },
    ['A: must be under a key that is a text of the form /^[a-z]+$/, not "A"'],
  ],
  ['a format', z.url(), 'x', [': must be a URL with https:// or http://, not "x"']],
  ['a form of ours', z.string().regex(/^[a-z]+$/, 'must be small letters'), 'X', [': must be small letters']],
  ['letters', z.string().max(2), 'abc', [': must be a text of at most 2 characters, not "abc"']],
  ['what JSON does not hold', z.string(), () => 1, [': must be a text']],
])('%s', ([, schema, given, told]) => {
  const issues = schema.safeParse(given, { error: expectedSentence }).error?.issues ?? [];
  expect(issues.flatMap(meantIssues).map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual(told);
});
