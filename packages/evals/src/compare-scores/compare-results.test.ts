import { describe, expect, test } from 'vitest';
import { baselineOf } from '../baseline/baseline-of.ts';
import type { EvalResult } from '../eval-result/eval-result.ts';
import { causeSentence } from '../report/verdict-text.ts';
import { agentMade, type MadeMetric, madeResult } from '../testing/index.ts';
import { compareResults } from './compare-results.ts';

const score = (scores: MadeMetric['scores'], more: Partial<MadeMetric> = {}): MadeMetric => ({
  name: 'faq_recall',
  scores,
  ...more,
});

function compared(before: MadeMetric, after: MadeMetric) {
  return compareResults(madeResult([before]), madeResult([after])).metrics[0]?.comparison;
}

describe('one metric', () => {
  test('the same in every row', () => {
    expect(compared(score('1101'), score('1101'))).toMatchObject({
      pairs: 4,
      before: 0.75,
      after: 0.75,
      difference: 0,
      pValue: 1,
      verdict: 'same',
      flips: { fixed: 0, broken: 0 },
    });
  });

  test("pass metrics are told apart by McNemar's exact test", () => {
    expect(compared(score('11111111'), score('00000011'))).toMatchObject({
      difference: -0.75,
      pValue: expect.closeTo(0.03125),
      adjustedPValue: expect.closeTo(0.03125),
      verdict: 'worse',
      flips: { fixed: 0, broken: 6 },
    });
  });

  test('what may be chance says how many rows would tell', () => {
    const comparison = compared(score('11111111111'), score('00111111111'));
    expect(comparison).toMatchObject({ pValue: expect.closeTo(0.5), verdict: 'not significant', rowsNeeded: 44 });
  });

  test('the rows that turned are named, 20 of each at most', () => {
    const [half, other] = ['1'.repeat(25), '0'.repeat(25)];
    const lines = (from: number): readonly number[] => Array.from({ length: 20 }, (_, at) => from + at);
    expect(compared(score(half + other), score(other + half))?.flips).toEqual({
      fixed: 25,
      broken: 25,
      fixedLines: lines(25),
      brokenLines: lines(0),
    });
    expect(Object.keys(compared(score('11'), score('11'))?.flips ?? {})).toEqual(['fixed', 'broken']);
    expect(Object.keys(compared(score('10'), score('11'))?.flips ?? {})).toEqual(['fixed', 'broken', 'fixedLines']);
  });

  test('a metric that was not there before has no comparison, not even an empty one', () => {
    const { metrics } = compareResults(madeResult([score('11', { name: 'other' })]), madeResult([score('11')]));
    expect(metrics.map((metric) => Object.hasOwn(metric, 'comparison'))).toEqual([false]);
  });

  test('numbers are told apart by a permutation test, whichever way is better', () => {
    const [before, after] = [
      [1, 2, 3, 4, 5, 6, 7],
      [2, 3.1, 4, 5.2, 6, 7, 8.1],
    ];
    const comparison = compared(score(before, { better: 'lower' }), score(after, { better: 'lower' }));
    expect(comparison).toMatchObject({ pValue: 2 / 128, verdict: 'worse' });
    expect(comparison?.flips).toBeUndefined();
  });

  test('rows scored in one of them only are left out', () => {
    expect(compared(score('11-1'), score('1-01'))).toMatchObject({ pairs: 2, difference: 0, verdict: 'same' });
    expect(compared(score('--'), score('11'))).toBeUndefined();
  });

  test('a repeated row is one observation', () => {
    const repeated = (...values: readonly number[]): EvalResult => {
      const made = madeResult([score('11')]);
      const scores = { lines: [0, 0, 1, 1], repeats: [0, 1, 0, 1], values };
      return { ...made, metrics: made.metrics.map((metric) => ({ ...metric, scores })) };
    };
    const { metrics } = compareResults(repeated(1, 1, 0, 1), repeated(1, 0, 0, 1));
    expect(metrics[0]?.comparison).toMatchObject({ pairs: 2, difference: -0.25, flips: { fixed: 0, broken: 1 } });
  });
});

test('p values of all metrics are adjusted together', () => {
  const before = madeResult([score('11111111'), ...['a', 'b', 'c'].map((name) => score('10101010', { name }))]);
  const after = madeResult([score('00000011'), ...['a', 'b', 'c'].map((name) => score('10101001', { name }))]);
  const { metrics } = compareResults(before, after);
  expect(metrics[0]?.comparison).toMatchObject({
    pValue: expect.closeTo(0.03125),
    adjustedPValue: expect.closeTo(0.125),
    verdict: 'not significant',
  });
});

test('how many rows would tell depends on how many metrics are tested, and on how many of them differ', () => {
  const needed = (besideBefore: string, besideAfter: string): number | undefined => {
    const before = madeResult([score('11111111111'), score(besideBefore, { name: 'beside' })]);
    const after = madeResult([score('00111111111'), score(besideAfter, { name: 'beside' })]);
    return compareResults(before, after).metrics[0]?.comparison?.rowsNeeded;
  };
  expect(needed('11111111111', '00000000000')).toBe(44);
  expect(needed('11111111111', '11111111111')).toBeGreaterThan(44);
});

describe('which row is which', () => {
  const keys = (...values: readonly string[]) => ({
    keys: { name: 'id', lines: values.map((_, line) => line), values },
  });

  test('by line', () => {
    const { comparison } = compareResults(madeResult([score('111')]), madeResult([score('11')]));
    expect(comparison).toMatchObject({ pairedBy: 'line', paired: 2, onlyBefore: 1, onlyAfter: 0 });
  });

  test('by key, wherever the row stands', () => {
    const before = madeResult([score('110')], keys('a', 'b', 'c'));
    const after = madeResult([score('0111')], keys('c', 'new', 'a', 'b'));
    const { comparison, metrics } = compareResults(before, after);
    expect(comparison).toMatchObject({ pairedBy: 'key', paired: 3, onlyBefore: 0, onlyAfter: 1 });
    expect(metrics[0]?.comparison?.verdict).toBe('same');
  });

  test('a baseline compares as the evaluation it was made of', () => {
    const [before, after] = [madeResult([score('1101')]), madeResult([score('0111')])];
    expect(compareResults(baselineOf(before), after)).toEqual(compareResults(before, after));
  });
});

describe('what got worse first, and why', () => {
  const metrics = (tool: string, found: string, answer: string): readonly MadeMetric[] => [
    { name: 'answered', on: 'outputs.answer', scores: answer },
    { name: 'found', node: 'function_1', scores: found },
    { name: 'first_tool', node: 'agent_1', scores: tool },
  ];
  const run = (digests: Readonly<Record<string, string>>) => ({
    run: { id: 'r', flow: 'f', startedAt: 0, made: agentMade(digests) },
  });
  const good = madeResult(metrics('1111', '1111', '1111'), run({}));

  test.for([
    {
      what: 'a broken index',
      after: madeResult(metrics('1111', '0011', '0111'), run({ 'faq.jsonl': 'broken' })),
      changes: ['function'],
      worse: [{ node: 'function_1', metric: 'found', kind: 'worse', rows: 2, lines: [0, 1], causes: ['function'] }],
    },
    {
      what: 'a worse prompt',
      after: madeResult(metrics('0001', '0011', '0111'), run({ 'agent.jinja2': 'worse' })),
      changes: ['agent'],
      worse: [{ node: 'agent_1', metric: 'first_tool', kind: 'worse', rows: 3, lines: [0, 1, 2], causes: ['agent'] }],
    },
    {
      what: 'both changed, each to blame for its own',
      after: madeResult(metrics('0111', '0011', '0011'), run({ 'agent.jinja2': 'worse', 'faq.jsonl': 'broken' })),
      changes: ['agent', 'function'],
      worse: [
        { node: 'agent_1', metric: 'first_tool', kind: 'worse', rows: 1, lines: [0], causes: ['agent'] },
        { node: 'function_1', metric: 'found', kind: 'worse', rows: 1, lines: [1], causes: ['function'] },
      ],
    },
    {
      what: 'a prompt that searches for other words: its own metric did not notice',
      after: madeResult(metrics('1111', '1101', '1111'), run({ 'agent.jinja2': 'worse' })),
      changes: ['agent'],
      worse: [{ node: 'function_1', metric: 'found', kind: 'worse', rows: 1, lines: [2], causes: ['agent'] }],
    },
    {
      what: 'an answer that got worse where nothing before it did',
      after: madeResult(metrics('1111', '1111', '1110'), run({})),
      changes: [],
      worse: [{ node: 'search', metric: 'answered', kind: 'worse', rows: 1, lines: [3], causes: [] }],
    },
  ])('$what', ({ after, changes, worse }) => {
    const { comparison } = compareResults(good, after);
    expect(comparison?.changes?.map(({ node }) => node)).toEqual(changes);
    expect(comparison?.firstWorse).toEqual(worse);
  });

  test('what most rows got worse by is told first, and numbers that are not worse as a whole tell nothing', () => {
    const number = (scores: readonly number[]): MadeMetric => ({ name: 'length', node: 'format_input', scores });
    const before = madeResult([...metrics('1111', '1111', '1111'), number([3, 3, 3, 3])], run({}));
    const after = madeResult([...metrics('0111', '0001', '0001'), number([3, 3, 3, 2])], run({}));
    const told = compareResults(before, after).comparison?.firstWorse.map(({ metric, rows }) => `${metric} ${rows}`);
    expect(told).toEqual(['found 2', 'first_tool 1']);
  });

  test('whether the data is another is told where both runs know theirs', () => {
    const { data: _data, ...unknown } = agentMade({});
    const runOf = (made: ReturnType<typeof agentMade>): EvalResult =>
      madeResult(metrics('1', '1', '1'), { run: { id: 'r', flow: 'f', startedAt: 0, made } });
    const told = (before: EvalResult, after: EvalResult) => compareResults(before, after).comparison?.dataChanged;
    const [one, other, none] = [runOf(agentMade({})), runOf(agentMade({ 'data.jsonl': 'other' })), runOf(unknown)];
    expect([told(one, one), told(one, other), told(one, none), told(none, one)]).toEqual([
      false,
      true,
      undefined,
      undefined,
    ]);
  });

  test('nodes that are there in one of the runs only are told as added and as removed', () => {
    const whole = agentMade({});
    const without = (name: string) => ({
      ...whole,
      nodes: whole.nodes?.filter((node) => node.name !== name) ?? [],
      nodeDefinitions: Object.fromEntries(
        Object.entries(whole.nodeDefinitions ?? {}).filter(([node]) => node !== name),
      ),
    });
    const runOf = (made: typeof whole) => ({ run: { id: 'r', flow: 'f', startedAt: 0, made } });
    const [all, fewer] = [runOf(whole), runOf(without('format_input'))].map((more) =>
      madeResult(metrics('1', '1', '1'), more),
    );
    const changes = (before: EvalResult, after: EvalResult): unknown =>
      compareResults(before, after).comparison?.changes?.filter(({ node }) => node === 'format_input');
    expect(changes(all as EvalResult, fewer as EvalResult)).toEqual([
      { node: 'format_input', change: 'removed', parts: [] },
    ]);
    expect(changes(fewer as EvalResult, all as EvalResult)).toEqual([
      { node: 'format_input', change: 'added', parts: [] },
    ]);
  });

  const made = (version: string, build: string) => ({
    run: { id: 'r', flow: 'f', startedAt: 0, made: { ...agentMade({}), madeWith: { version, build } } },
  });
  const worse = metrics('1111', '1111', '1110');
  const program = 'Unroll 0.1.0 (build a) → 0.1.1 (build b)';

  test.for([
    {
      what: 'another Unroll, and nothing else',
      before: madeResult(metrics('1111', '1111', '1111'), made('0.1.0', 'a')),
      after: madeResult(worse, made('0.1.1', 'b')),
      told: `Cause: ${program}; no definition it depends on changed.`,
    },
    {
      what: 'the same version, built anew',
      before: baselineOf(madeResult(metrics('1111', '1111', '1111'), made('0.1.0', 'a'))),
      after: madeResult(worse, made('0.1.0', 'b')),
      told: 'Cause: Unroll 0.1.0 (build a) → 0.1.0 (build b); no definition it depends on changed.',
    },
    {
      what: 'the same Unroll',
      before: madeResult(metrics('1111', '1111', '1111'), made('0.1.0', 'a')),
      after: madeResult(worse, made('0.1.0', 'a')),
      told: 'No definition it depends on changed: other data, a service, or chance.',
    },
    {
      what: 'a run that does not tell its own',
      before: good,
      after: madeResult(worse, made('0.1.0', 'a')),
      told: 'No definition it depends on changed: other data, a service, another version of Unroll (a run does not tell its own), or chance.',
    },
  ])('what made them: $what', ({ before, after, told }) => {
    const { comparison } = compareResults(before, after);
    const [group] = comparison?.firstWorse ?? [];
    expect(group && comparison && causeSentence(group, comparison)).toBe(told);
  });

  test('another Unroll beside a changed definition is a possible cause', () => {
    const before = madeResult(metrics('1111', '1111', '1111'), made('0.1.0', 'a'));
    const edited = { ...agentMade({ 'faq.jsonl': 'broken' }), madeWith: { version: '0.1.1', build: 'b' } };
    const after = madeResult(metrics('1111', '0011', '0111'), {
      run: { id: 'r', flow: 'f', startedAt: 0, made: edited },
    });
    const { comparison } = compareResults(before, after);
    const [group] = comparison?.firstWorse ?? [];
    expect(group && comparison && causeSentence(group, comparison)).toBe(
      `Possible causes: function (data faq.jsonl changed); ${program}.`,
    );
  });

  test('a row whose node failed has no score any more', () => {
    const after = madeResult(metrics('1111', '--11', '--11'), run({ 'functions.ts': 'throws' }));
    const failing = after.metrics.map((metric) => ({
      ...metric,
      summary: { ...metric.summary, errors: 4 - metric.summary.scored },
    }));
    expect(compareResults(good, { ...after, metrics: failing }).comparison?.firstWorse).toEqual([
      { node: 'function_1', metric: 'found', kind: 'no score', rows: 2, lines: [0, 1], causes: ['function'] },
    ]);
  });

  test('where a run tells no definitions, no cause is guessed', () => {
    const { comparison } = compareResults(madeResult(metrics('1', '1', '1')), madeResult(metrics('0', '1', '1')));
    expect(comparison?.changes).toBeUndefined();
    expect(comparison?.firstWorse).toEqual([
      { node: 'agent_1', metric: 'first_tool', kind: 'worse', rows: 1, lines: [0] },
    ]);
  });
});
