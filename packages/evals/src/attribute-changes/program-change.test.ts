import { expect, test } from 'vitest';
import { isProgram, programChange } from './program-change.ts';

const made = { version: '0.1.0', build: 'a1' };

test('another version, and another build of the same version, is a change of the program', () => {
  const changed = (left: string, right: string) => ({ part: 'Unroll', left, right });
  const version = programChange(made, { version: '0.2.0', build: 'a1' });
  const build = programChange(made, { version: '0.1.0', build: 'b2' });
  expect([version, build]).toEqual([
    changed('0.1.0 (build a1)', '0.2.0 (build a1)'),
    changed('0.1.0 (build a1)', '0.1.0 (build b2)'),
  ]);
  expect([version, build].map((change) => change !== undefined && isProgram(change))).toEqual([true, true]);
});

test('the same program, or a run that does not tell which made it, is none', () => {
  expect(programChange(made, { ...made })).toBeUndefined();
  expect(programChange(undefined, made)).toBeUndefined();
  expect(programChange(made, undefined)).toBeUndefined();
});
