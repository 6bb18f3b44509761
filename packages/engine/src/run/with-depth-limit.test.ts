import { expect, test } from 'vitest';
import type { NodeCall, NodeOutcome, PreparedNode } from '../node/node-type.ts';
import { MAX_DEPTH } from '../value/depth.ts';
import type { JsonValue } from '../value/json.ts';
import { withDepthLimit } from './with-depth-limit.ts';

/** Lists in one another, `depth` of them. */
function nested(depth: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}

const report = { usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 } };
const tooDeep = {
  code: 'NodeOutputTooDeep',
  message: "the output of node 'asked' is nested deeper than 1000 levels, which is the limit",
  retryable: false,
};
const failed: NodeOutcome = { ok: false, error: { code: 'Broken', message: 'no', retryable: true } };

const cases: readonly [what: string, ended: NodeOutcome, expected: NodeOutcome][] = [
  ['an output of the limit is kept', { ok: true, output: nested(MAX_DEPTH) }, { ok: true, output: nested(MAX_DEPTH) }],
  ['a deeper one fails', { ok: true, output: nested(MAX_DEPTH + 1) }, { ok: false, error: tooDeep }],
  ['what it cost is kept', { ok: true, output: nested(MAX_DEPTH + 1), report }, { ok: false, error: tooDeep, report }],
  ['a failure stays what it is', failed, failed],
];

test.for(cases)('%s, at once and later', async ([, ended, expected]) => {
  const call = { node: 'asked' } as NodeCall;
  const atOnce: PreparedNode = { parametersWithDefault: new Set(), run: () => ended };
  const later: PreparedNode = { parametersWithDefault: new Set(), run: async () => ended };
  expect(withDepthLimit(atOnce).run({}, call)).toStrictEqual(expected);
  expect(await withDepthLimit(later).run({}, call)).toStrictEqual(expected);
});
