import { expect, test } from 'vitest';
import type * as z from 'zod';
import { ProjectFailure } from '../host/project-failure.ts';
import { readSettings } from './read-settings.ts';
import { datasetRunSettings, diffSettings } from './settings.ts';

function failureOf(schema: z.ZodType, given: unknown): ProjectFailure {
  try {
    readSettings(schema, given);
  } catch (error) {
    if (error instanceof ProjectFailure) return error;
  }
  throw new Error('it is read');
}

test.for<readonly [unknown, string | undefined]>([
  [{ concurency: 4 }, 'did you mean "concurrency"?'],
  [{ row_budget: { tokens: 5 } }, 'did you mean "rowBudget"?'],
  [{ budget: { token: 5 } }, 'did you mean "tokens"?'],
  [{ limitRpm: { bycConnection: {} } }, 'did you mean "byConnection"?'],
  [{ overrides: [{ node: 'a', key: 'b', valeu: 'c' }] }, 'did you mean "value"?'],
  [{ cassette: { replya: 'c.yaml' } }, 'did you mean "replay"?'],
  [
    { concurency: 4, dta: 'x', qqqqqqqqqq: 1 },
    '"concurency": did you mean "concurrency"?\n"dta": did you mean "data"?',
  ],
  [{ concurrency: 'many' }, undefined],
])('the nearest keys of settings %j', ([given, help]) => {
  const failure = failureOf(datasetRunSettings, given);
  expect(failure).toMatchObject({ code: 'SettingsNotValid', kind: 'wrong' });
  expect(failure.help).toBe(help);
});

test('where no key is near, those it can have are told', () => {
  expect(failureOf(diffSettings, { qqqqqqqqqq: 1 }).help).toBe(
    'it can have renames, key, byIteration, node, only, rows',
  );
});

test.for<readonly [unknown, string]>([
  [{ record: 'a', replay: 'b' }, '"replay" cannot stand beside its other keys'],
  [5, 'must be a mapping, not 5'],
  [{ record: 'a', recordMode: 'al' }, 'Mode: must be one of new, all, not "al"'],
])('one of several forms is told by the nearest: %j', ([cassette, told]) => {
  expect(failureOf(datasetRunSettings, { cassette }).message).toContain(told);
});

test('each unknown key is told with its place', () => {
  const { message } = failureOf(datasetRunSettings, { budget: { token: 5 }, cassette: { replya: 'c.yaml' } });
  expect(message).toBe('settings cannot be read: budget: unknown key "token"; cassette: unknown key "replya"');
});
