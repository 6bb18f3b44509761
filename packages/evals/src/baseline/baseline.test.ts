import { expect, test } from 'vitest';
import { agentMade, madeResult } from '../testing/index.ts';
import { baselineOf } from './baseline-of.ts';
import { readBaseline } from './read-baseline.ts';
import { stringifyBaseline } from './stringify-baseline.ts';

const result = madeResult(
  [
    { name: 'first_tool', node: 'agent_1', scores: '110-1' },
    { name: '引用', on: 'outputs.answer', scores: [0.5, 1 / 3, null, null, 1] },
    { name: 'cost', scores: [], better: 'lower' },
  ],
  {
    run: {
      id: '20261121-064500-privacy-agent-a1b2',
      flow: 'privacy_agent',
      startedAt: 1_795_243_500_000,
      made: { ...agentMade(), madeWith: { version: '0.1.0', build: '0123456789ab' } },
    },
  },
);

const printed = `{
  "version": 1,
  "evaluation": "privacy-agent",
  "run": {"id": "20261121-064500-privacy-agent-a1b2", "flow": "privacy_agent", "started_at": "2026-11-21T06:45:00.000Z"},
  "flow_digest": "0123456789abcdef0123456789abcdef",
  "made_with": {"version": "0.1.0", "build": "0123456789ab"},
  "data": {"path": "data.jsonl", "digest": "0123456789abcdef0123456789abcdef"},
  "rows": "0-4",
  "metrics": {
    "first_tool": {"mean": 0.75, "interval": [0.300642, 0.954413], "scored": 4, "kind": "pass", "better": "higher", "scores": "110-1"},
    "引用": {"mean": 0.611111, "interval": [-0.0182497, 3.94062], "scored": 3, "kind": "number", "better": "higher", "scores": [0.5, 0.333333, null, null, 1]},
    "cost": {"mean": null, "scored": 0, "kind": "number", "better": "lower", "scores": ""}
  },
  "nodes": {
    "format_input": {"kind": "python", "parts": {"type": "python 1", "code format_input.ts": "0123456789abcdef0123456789abcdef"}},
    "agent_1": {"kind": "llm", "loop": "search", "family": "agent", "iteration": 1, "parts": {"type": "llm 2", "template agent.jinja2": "0123456789abcdef0123456789abcdef", "input input": "\${format_input.output}"}},
    "function_1": {"kind": "python", "loop": "search", "family": "function", "iteration": 1, "parts": {"type": "python 1", "code functions.ts": "0123456789abcdef0123456789abcdef", "reads faq.jsonl": "0123456789abcdef0123456789abcdef", "input message": "\${agent_1.output}"}},
    "agent_2": {"kind": "llm", "loop": "search", "family": "agent", "iteration": 2, "as": "agent_1", "parts": {"input input": "\${function_1.output}"}},
    "function_2": {"kind": "python", "loop": "search", "family": "function", "iteration": 2, "as": "function_1", "parts": {"input message": "\${agent_2.output}"}},
    "search": {"kind": "python", "loop": "search", "family": "search", "iteration": 0, "parts": {"type": "unroll.loop_end 1", "input state": "\${function_2.output}"}}
  }
}
`;

test('a metric a line, a node a line', () => {
  expect(stringifyBaseline(baselineOf(result))).toBe(printed);
});

test('what was printed is read back, and prints the same', () => {
  const read = readBaseline(printed);
  if (!read.ok) return expect.fail(read.message);
  expect(stringifyBaseline(read.baseline)).toBe(printed);
  expect(read.baseline.run.made?.madeWith).toEqual({ version: '0.1.0', build: '0123456789ab' });
  expect(read.baseline.run.made?.nodeDefinitions).toEqual(agentMade().nodeDefinitions);
  expect(read.baseline).toMatchObject({
    lines: [0, 1, 2, 3, 4],
    metrics: [{ scores: [1, 1, 0, null, 1] }, {}, { scores: [] }],
  });
});

test('a metric and a node that are called as members of objects are', () => {
  const odd = printed.replace('"first_tool":', '"__proto__":').replace('"format_input":', '"__proto__":');
  const read = readBaseline(odd);
  if (!read.ok) return expect.fail(read.message);
  expect(stringifyBaseline(read.baseline)).toBe(odd);
});

test('files and packages that code was seen to read are kept, variables and what lies on one machine are not', () => {
  const seen = { 'code help.ts': 'a', 'package left': '1.2.3', 'reads faq.jsonl': 'b' };
  const elsewhere = { 'reads /home/me/faq.jsonl': 'c', 'variable TONE': 'd', 'unseen network': 'used' };
  const nodeReads = { format_input: seen, function_1: { ...seen, ...elsewhere }, function_2: seen };
  const made = { ...agentMade(), nodeReads };
  const text = stringifyBaseline(
    baselineOf(madeResult([{ name: 'm', scores: '1' }], { run: { id: 'r', flow: 'f', startedAt: 0, made } })),
  );
  const [first, , last] = text.split('\n').filter((line) => /"(?:format_input|function_[12])": \{/.test(line));
  expect(first).toContain('"reads": {"code help.ts": "a", "package left": "1.2.3", "reads faq.jsonl": "b"}');
  expect(last).not.toContain('"reads":');
  const read = readBaseline(text);
  if (!read.ok) return expect.fail(read.message);
  expect(read.baseline.run.made?.nodeReads).toEqual({ format_input: seen, function_1: seen, function_2: seen });
});

test('rows known by a key keep it', () => {
  const keyed = madeResult([{ name: 'm', scores: '10' }], {
    keys: { name: 'id', lines: [0, 1], values: ['faq-1', 'faq-2'] },
  });
  const text = stringifyBaseline(baselineOf(keyed));
  expect(text).toContain('"keys": {"name": "id", "values": ["faq-1", "faq-2"]}');
  expect(readBaseline(text)).toMatchObject({ baseline: { keys: { values: ['faq-1', 'faq-2'] } } });
});

test.for([
  ['{"version": 1', "Expected ',' or '}' after property value in JSON at position 13 (line 1 column 14)"],
  ['{}', 'version: must be 1'],
  [printed.replace('"metrics": {', '"metrics": [], "nothing": {'), 'metrics: must be a mapping'],
  [printed.replace('"kind": "llm"', '"kind": 1'), 'nodes.agent_1.kind: must be a text, not 1'],
  [printed.replace('"rows"', '"row"'), 'rows: must be a text'],
  [printed.replace('"rows": "0-4"', '"rows": "0–4"'), 'rows: must be ranges of rows such as 0-4,7'],
  [printed.replace('"rows": "0-4"', '"rows": "0-1,3"'), 'metrics.first_tool.scores: 5 scores of 3 rows'],
  [
    printed.replace('"110-1"', '"11x-1"'),
    'metrics.first_tool.scores: must be a text of digits, - for a row without a score',
  ],
  [
    '{\n<<<<<<< HEAD\n"version": 1,\n=======\n"version": 1,\n>>>>>>> theirs\n}',
    'two that were merged stand in it, from line 2',
  ],
] as const)('a file that is none says where', ([text, message]) => {
  expect(readBaseline(text)).toEqual({ ok: false, message });
});

/** What a baseline says of a result that tells little: no lines, a run that does not say what it was made of. */
test.for<readonly [lines: readonly number[], rows: string]>([
  [[0], '0'],
  [[3, 4, 5], '3-5'],
  [[9, 0, 2, 1, 12], '0-2,9,12'],
  [[], ''],
])('rows %j of which nobody says which there are: those that are scored, %s', ([lines, rows]) => {
  const { lines: _, ...made } = madeResult([{ name: 'm', scores: lines.map(() => 1) }]);
  const metrics = made.metrics.map((one) => ({ ...one, scores: { ...one.scores, lines: [...lines] } }));
  const baseline = baselineOf({ ...made, metrics });
  expect(baseline.lines).toEqual([...lines].sort((one, other) => one - other));
  const text = stringifyBaseline(baseline);
  expect(text).toContain(`"rows": "${rows}"`);
  expect(text).not.toContain('flow_digest');
  const read = readBaseline(text);
  if (!read.ok) return expect.fail(read.message);
  expect(read.baseline).toMatchObject({ lines: baseline.lines });
  expect(read.baseline.run).not.toHaveProperty('made');
  expect(read.baseline).not.toHaveProperty('keys');
  expect(stringifyBaseline(read.baseline)).toBe(text);
});

test('an evaluation without metrics, a row without a key', () => {
  const none = madeResult([], { lines: [0, 1], keys: { name: 'id', lines: [1], values: ['b'] } });
  const baseline = baselineOf(none);
  expect(baseline.keys).toEqual({ name: 'id', values: ['line 0', 'b'] });
  expect(stringifyBaseline(baseline)).toContain('"metrics": {}');
});

test.for<readonly [scores: readonly (number | null)[], printed: string]>([
  [[9, 0, null], '"90-"'],
  [[10, 0], '[10, 0]'],
  [[-1, 0], '[-1, 0]'],
  [[0.5], '[0.5]'],
])('scores %j are written %s', ([scores, printedAs]) => {
  const text = stringifyBaseline(baselineOf(madeResult([{ name: 'm', kind: 'number', scores }])));
  expect(text).toContain(`"scores": ${printedAs}}`);
  expect(readBaseline(text)).toMatchObject({ ok: true, baseline: { metrics: [{ scores }] } });
});

test('one scored row has no interval', () => {
  const text = stringifyBaseline(baselineOf(madeResult([{ name: 'm', scores: '1' }])));
  expect(text).not.toContain('interval');
  expect(readBaseline(text)).toMatchObject({ baseline: { metrics: [{ mean: 1 }] } });
});

test.for([
  ['0-99999999999', 'rows: must ascend, and be at most 10000000'],
  ['4-0', 'rows: must ascend, and be at most 10000000'],
  ['0-2,2-3', 'rows: must ascend, and be at most 10000000'],
  ['0-3', 'metrics.first_tool.scores: 5 scores of 4 rows'],
])('rows that are damaged, %s, are told', ([rows, message]) => {
  expect(readBaseline(printed.replace('"rows": "0-4"', `"rows": "${rows}"`))).toEqual({ ok: false, message });
});

test('keys that are fewer than the rows are told', () => {
  const cut = printed.replace('"rows": "0-4",', '"rows": "0-4", "keys": {"name": "id", "values": ["a", "b"]},');
  expect(readBaseline(cut)).toEqual({ ok: false, message: 'keys.values: 2 keys of 5 rows' });
});
