import { expect, test } from 'vitest';
import { groupFailures } from './failure-groups.ts';

test('what an exception was raised from stands in lines of its own, of which the first few are shown', () => {
  const groups = groupFailures();
  const from = ['Exception: search failed inside', 'HttpResponseError: (Forbidden) no such key'];
  const cause = { code: 'Exception', message: 'search failed', from };
  for (const line of [1, 2]) {
    const error = { code: 'ToolExecutionError', message: "Execution failure in 'lookup'", retryable: false, cause };
    groups.row({ line, error: { ...error, node: 'lookup' } });
  }
  expect(groups.all()).toEqual([
    {
      node: 'lookup',
      code: 'Exception',
      message: `search failed\nfrom ${from[0]}\nfrom ${from[1]}`,
      messages: 1,
      retryable: false,
      count: 2,
      firstRow: { line: 1, repeat: 0 },
    },
  ]);
});

test('of a group it is told how many messages differ, up to a bound', () => {
  const groups = groupFailures();
  for (let line = 0; line < 300; line += 1) {
    const own = (code: string, message: string) => groups.row({ line, error: { code, message, retryable: false } });
    own('A', `row ${line % 3} is wrong`);
    own('B', `row ${line} is wrong`);
  }
  expect(groups.all()).toMatchObject([
    { code: 'A', message: 'row 0 is wrong', count: 300, messages: 3 },
    { code: 'B', message: 'row 0 is wrong', count: 300, messages: 100 },
  ]);
});
