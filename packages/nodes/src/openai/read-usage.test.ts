import { expect, test } from 'vitest';
import { readUsage } from './read-usage.ts';

const doubt = (name: string, shown: string): string =>
  `the service told ${name} as ${shown}, which is no count of tokens: not counted`;
const counted = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };

test.for<readonly [unknown, string | undefined]>([
  [4, undefined],
  [null, undefined],
  [0, undefined],
  [1.5, '1.5'],
  [-4, '-4'],
  ['a', '"a"'],
  ['4', '"4"'],
  [true, 'true'],
  [{ a: 1 }, '{"a":1}'],
  [11, '11'],
  [1e300, '1e+300'],
])('cached tokens told as %j', ([told, doubtful]) => {
  const { usage, warnings } = readUsage({
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: told },
    completion_tokens_details: { reasoning_tokens: 3 },
  });
  const cached = told === 4 ? { cachedTokens: 4 } : {};
  expect(usage).toEqual({ ...counted, details: { ...cached, reasoningTokens: 3 } });
  expect(warnings).toEqual(doubtful === undefined ? [] : [doubt('cachedTokens', doubtful)]);
});

test.for([['prompt'], ['completion']])('details of the %s that are no object are told', ([whole]) => {
  const read = readUsage({ prompt_tokens: 10, completion_tokens: 5, [`${whole}_tokens_details`]: 'many' });
  expect(read).toEqual({ usage: counted, warnings: [doubt(`usage.${whole}_tokens_details`, '"many"')] });
});

test('the names of the Responses API are read too', () => {
  const read = readUsage({
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 8 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 15,
  });
  expect(read).toEqual({ usage: { ...counted, details: { cachedTokens: 8, reasoningTokens: 2 } }, warnings: [] });
  expect(readUsage({ input_tokens: 'ten' }).warnings).toEqual([doubt('usage.prompt_tokens', '"ten"')]);
});
