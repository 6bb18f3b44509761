import { expect, test } from 'vitest';
import { endWarnings } from './end-warnings.ts';

test.for<[reason: string | null, warning: RegExp | undefined]>([
  [null, undefined],
  ['stop', undefined],
  ['tool_calls', undefined],
  ['eos_token', undefined],
  ['length', /^the answer was cut off at its limit of tokens/],
  ['error', /^the answer was cut off \(finish_reason: error\)$/],
  ['abort', /^the answer was cut off \(finish_reason: abort\)$/],
  ['insufficient_system_resource', /^the answer was cut off/],
  ['pause_turn', /^the answer was cut off \(finish_reason: pause_turn\)$/],
  ['martian', /^the answer ended for a reason that is not known here, and may be cut off \(finish_reason: martian\)$/],
  ['constructor', /may be cut off/],
])('an answer that ended with the reason %s', ([reason, warning]) => {
  expect(endWarnings(reason, false)).toEqual(warning === undefined ? [] : [expect.stringMatching(warning)]);
});
