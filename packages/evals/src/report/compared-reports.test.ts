import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EvalResult, FirstWorseGroup, MetricResult, ResultComparison } from '../eval-result/eval-result.ts';
import { type MadeMetric, madeResult } from '../testing/index.ts';
import { stringifyJunit } from './stringify-junit.ts';
import { stringifyMarkdown } from './stringify-markdown.ts';
import { causeSentence, verdictSentences } from './verdict-text.ts';

const p = { pValue: 0.004, adjustedPValue: 0.0125 };

/** A metric for each way to differ from a baseline, in every unit, with and without a gate. */
const metrics: readonly MadeMetric[] = [
  {
    name: 'right',
    on: 'outputs.answer',
    scores: '1100110000',
    durationMs: 1500,
    comparison: {
      pairs: 10,
      before: 0.9,
      after: 0.4,
      difference: -0.5,
      interval: { low: -0.8, high: -0.1 },
      ...p,
      intervalLevel: 0.975,
      verdict: 'worse',
      lost: 2,
      flips: { fixed: 1, broken: 6, fixedLines: [4], brokenLines: [2, 3, 6, 7, 8] },
    },
    gate: { rule: 'min 0.5, no worse than baseline', passed: false, reason: 'the mean 40 % is below 50 %' },
  },
  {
    name: 'latency',
    on: '',
    scores: [120, 80, 1400, 95.5],
    unit: 'ms',
    better: 'lower',
    kind: 'number',
    comparison: {
      pairs: 4,
      before: 900,
      after: 423.875,
      difference: -476.125,
      ...p,
      verdict: 'better',
      adjustedPValue: 0.0004,
    },
    gate: { rule: 'max 500', passed: true, reason: 'the mean 423.9 ms is not above 500 ms' },
  },
  {
    name: 'cost',
    on: '',
    scores: [0.001, 0.002],
    unit: 'USD',
    better: 'lower',
    kind: 'number',
    comparison: {
      pairs: 2,
      before: 0.001,
      after: 0.0015,
      difference: 0.0005,
      pValue: 0.5,
      adjustedPValue: 0.5,
      verdict: 'not significant',
      rowsNeeded: 1234,
      lost: 1,
    },
  },
  {
    name: 'found',
    node: 'search',
    on: 'search.ids',
    scores: '111',
    comparison: {
      pairs: 3,
      before: 1,
      after: 1,
      difference: 0,
      interval: { low: 0, high: 0 },
      pValue: 1,
      adjustedPValue: 1,
      verdict: 'same',
      flips: { fixed: 0, broken: 0 },
    },
    gate: { rule: 'no worse than baseline', passed: true, reason: 'the same in every row' },
  },
  {
    name: 'kept',
    on: 'outputs.note',
    scores: '01',
    comparison: {
      pairs: 2,
      before: 0,
      after: 0.5,
      difference: 0.5,
      pValue: 0.2,
      adjustedPValue: 0.2,
      verdict: 'not significant',
      flips: { fixed: 1, broken: 1 },
    },
  },
  {
    name: 'new & <own>',
    node: 'agent',
    on: 'agent[*].text',
    scores: [0.2, 0.4, 0.4, 3],
    kind: 'number',
    iterations: [
      { iteration: 1, mean: 0.25, interval: { low: 0.1, high: 0.6 }, scored: 4, unscored: [], errors: 0 },
      { iteration: 2, mean: 0.75, scored: 1, unscored: [], errors: 0 },
      { iteration: 3, mean: null, scored: 0, unscored: [], errors: 0 },
    ],
  },
  {
    name: 'nowhere',
    on: 'outputs.missing',
    scores: '--',
    nothingAt: { path: 'outputs.missing', missing: 'missing', known: ['answer', 'note'] },
    summary: {
      mean: null,
      scored: 0,
      errors: 3,
      unscored: [
        {
          reason: 'the evaluator failed',
          count: 2,
          rows: [
            { line: 0, repeat: 0 },
            { line: 1, repeat: 2 },
          ],
          said: 'E: no\nmore',
        },
        { reason: 'row failed', count: 1, rows: [{ line: 4, repeat: 0 }] },
        { reason: 'no expectation', count: 1200 },
      ],
    },
  },
];

const comparison: ResultComparison = {
  pairedBy: 'key',
  paired: 10,
  onlyBefore: 1,
  onlyAfter: 2,
  newMetrics: ['new & <own>'],
  dataChanged: true,
  madeWith: {
    before: { version: '0.1.0', build: 'a'.repeat(12) },
    after: { version: '0.2.0', build: 'b'.repeat(12) },
  },
  changes: [
    {
      node: 'search',
      change: 'changed',
      parts: [{ part: 'reads faq.jsonl' }, { part: 'input k', left: '3', right: '5' }],
    },
    { node: 'rank', change: 'added', parts: [] },
    { node: 'old', change: 'removed', parts: [] },
  ],
  firstWorse: [
    { node: 'search', metric: 'found', kind: 'worse', rows: 7, lines: [2, 3, 6], causes: ['search', 'rank'] },
    { node: 'agent', metric: 'kept', kind: 'no score', rows: 1, lines: [5], causes: [] },
  ],
};

function compared(): EvalResult {
  const at = Date.UTC(2026, 10, 22, 8, 5);
  return madeResult(metrics, {
    run: {
      id: 'after',
      path: '.flow/runs/after.run',
      flow: 'faq <1>',
      startedAt: at,
      durationMs: 61_250,
      usage: { promptTokens: 12_345, completionTokens: 678 },
    },
    rows: { total: 12, planned: 20, completed: 10, failed: 2, unfinished: 3, repeats: 2 },
    baseline: { id: 'before', flow: 'faq <1>', startedAt: at - 86_400_000 },
    comparison,
    families: [
      {
        family: 'agent',
        iterations: [
          { iteration: 1, ran: 10, finished: 4, rightByNow: 3, tokens: 1500 },
          { iteration: 2, ran: 6, finished: 5, rightByNow: 7, tokens: 900 },
          { iteration: 3, ran: 1, finished: 1, rightByNow: 6 },
        ],
        stopped: { right: 5, tooEarly: 2, tooLate: 1, never: 3 },
        lostLater: 1,
        recommendedTimes: 2,
      },
      { family: 'plain', iterations: [{ iteration: 1, ran: 2, finished: 2 }] },
      { family: 'empty', iterations: [] },
    ],
    firstBad: [
      {
        node: 'search',
        kind: 'found',
        rows: 4,
        examples: [
          { line: 2, repeat: 0, expected: ['faq-001'], actual: [] },
          { line: 3, repeat: 1, actual: `x < y ${'long '.repeat(100)}` },
        ],
      },
      { node: 'agent', kind: 'failed', rows: 1, examples: [{ line: 4, repeat: 0, reason: 'RateLimitError: slow' }] },
    ],
  });
}

test.for([
  ['junit.xml', stringifyJunit],
  ['md', stringifyMarkdown],
] as const)('the report of an evaluation that is compared with a baseline: %s', async ([kind, stringify]) => {
  await expect(stringify(compared())).toMatchFileSnapshot(join(import.meta.dirname, `compared-report.golden.${kind}`));
});

const gated = (...passed: readonly boolean[]): readonly MadeMetric[] =>
  passed.map((one, at) => ({ name: `m${at}`, scores: '1', gate: { rule: 'min 1', passed: one, reason: '' } }));

test.for<[what: string, metrics: readonly MadeMetric[], said: readonly string[]]>([
  ['no gate', [{ name: 'm', scores: '1' }], []],
  ['one gate that passes', gated(true), ['The gate passes.']],
  ['one gate that fails', gated(false), ['The gate fails: m0.']],
  ['two that pass', gated(true, true), ['Both gates pass.']],
  ['three that pass', gated(true, true, true), ['All 3 gates pass.']],
  ['one of two that fails', gated(true, false), ['1 of 2 gates fails: m1.']],
  ['all that fail', gated(false, false, false), ['3 of 3 gates fail: m0, m1 and m2.']],
])('what is said of %s', ([, given, said]) => {
  expect(verdictSentences(madeResult(given))).toEqual(said);
});

test('the first bad node is told where a gate fails, else where something is worse, and else not', () => {
  const group = (kind: string, rows: number) => ({ node: 'ask', kind, rows, examples: [] });
  const bad = (given: readonly MadeMetric[], kind: string, rows = 1): string | undefined =>
    verdictSentences(madeResult(given, { firstBad: [group(kind, rows), group('later', 9)] })).at(-1);
  expect(bad(gated(false), 'right', 2)).toBe('First bad node: ask (right fails in 2 rows).');
  expect(bad(gated(false), 'failed')).toBe('First bad node: ask (failed in 1 row).');
  expect(bad(gated(true), 'right')).toBe('The gate passes.');
  expect(bad([{ name: 'm', scores: '1' }], 'right')).toBeUndefined();
  const worse = { name: 'm', scores: '1', comparison: metrics[0]?.comparison as MetricResult['comparison'] & object };
  expect(bad([worse], 'right')).toBe('First bad node: ask (right fails in 1 row).');
});

const found: FirstWorseGroup = { node: 'ask', metric: 'm', kind: 'worse', rows: 1, lines: [0] };
const { madeWith, changes, ...plain } = comparison;
const program = 'Unroll 0.1.0 (build aaaaaaaaaaaa) → 0.2.0 (build bbbbbbbbbbbb)';
const told = { version: '0.1.0', build: 'a'.repeat(12) };
const same = { before: told, after: told };

test.for<[what: string, causes: readonly string[] | undefined, whole: ResultComparison, said: string]>([
  ['nothing is known', undefined, plain, 'The cause is not known: a run does not tell its definitions.'],
  [
    'of definitions nothing is known, and the program changed',
    undefined,
    comparison,
    `The cause is not known: a run does not tell its definitions. A possible one is ${program}.`,
  ],
  ['a definition changed', ['rank'], { ...plain, changes: changes ?? [] }, 'Cause: rank (added).'],
  ['what changed is not told', ['rank'], plain, 'Cause: rank.'],
  [
    'two changed',
    ['rank', 'old'],
    { ...plain, changes: changes ?? [] },
    'Possible causes: rank (added); old (removed).',
  ],
  ['a definition and the program', ['rank'], comparison, `Possible causes: rank (added); ${program}.`],
  ['the program alone', [], comparison, `Cause: ${program}; no definition it depends on changed.`],
  [
    'nothing changed',
    [],
    { ...plain, madeWith: same },
    'No definition it depends on changed: other data, a service, or chance.',
  ],
  [
    'nothing changed as far as the runs tell',
    [],
    { ...plain, madeWith: { before: told } },
    'No definition it depends on changed: other data, a service, another version of Unroll (a run does not tell its own), or chance.',
  ],
])('the cause where %s', ([, causes, whole, said]) => {
  expect(causeSentence({ ...found, ...(causes === undefined ? {} : { causes }) }, whole)).toBe(said);
});

test.for<[causes: readonly string[] | undefined, whole: ResultComparison, said: string]>([
  [undefined, plain, '実行の記録に定義がないため、原因は不明です。'],
  [['rank', 'old'], { ...plain, changes: changes ?? [] }, '考えられる原因：rank（追加）、old（削除）。'],
  [[], comparison, `原因：${program}。関係する定義は変わっていません。`],
  [
    [],
    { ...plain, madeWith: same },
    '関係する定義は変わっていません。データの違い、外部サービス、または偶然が考えられます。',
  ],
])('the cause in Japanese, %#', ([causes, whole, said]) => {
  expect(causeSentence({ ...found, ...(causes === undefined ? {} : { causes }) }, whole, 'ja')).toBe(said);
});
