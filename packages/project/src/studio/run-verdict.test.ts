import type { EvalResult, MetricResult } from '@unroll/evals';
import { expect, test } from 'vitest';
import type { Spending } from '../prices/spent.ts';
import type { LoopIndex, NodeIndex, RowIndex } from '../row-index/row-index.ts';
import type { RunLine } from '../studio-contract/contract.ts';
import { costFigure, countFigure, durationFigure } from './figures.ts';
import { runVerdict } from './run-verdict.ts';

const line: RunLine = {
  ...{ id: 'r', flow: 'f', tags: [], startedAt: 0, status: 'Completed', outcome: [], needsLook: false },
  isBaseline: false,
  rows: countFigure(4, 'rows'),
  failed: countFigure(0, 'rows'),
  tokens: countFigure(0, 'tokens'),
  cost: costFigure(0.5, false),
  duration: durationFigure(5),
};

const spent = (told: Partial<Spending>): Spending => ({ tokens: 0, cost: undefined, isCostPartial: false, ...told });

const node = (told: Partial<NodeIndex>): NodeIndex => ({
  statuses: [],
  cached: [],
  counts: { Completed: 4, Bypassed: 0, Failed: 0, Canceled: 0, NotRun: 0 },
  ...{ cachedCount: 0, medianMs: undefined, spent: spent({}) },
  ...told,
});

const index = (told: Partial<RowIndex>): RowIndex => ({
  ...{ size: 4, lines: [0, 1, 2, 3], repeats: [0, 0, 0, 0], statuses: [] },
  ...{ durations: [], tokens: [], costs: [], partial: [] },
  ...{
    texts: [],
    nodes: new Map(),
    overRows: new Map(),
    loops: new Map(),
    unfinished: 0,
    failures: [],
    metrics: {},
    endedAt: 0,
    find: () => undefined,
  },
  ...told,
});

const metric = (name: string, told: Partial<MetricResult>): MetricResult => ({
  ...{ name, on: 'agent_1', evaluator: 'equals', kind: 'pass', better: 'higher' },
  summary: { mean: 0.5, scored: 4, unscored: [], errors: 0 },
  scores: { lines: [], repeats: [], values: [] },
  ...told,
});

const result = (told: Partial<EvalResult>): EvalResult => ({
  ...{ version: 1, name: 'e', run: { id: 'r', flow: 'f', startedAt: 0 }, families: [], metrics: [], firstBad: [] },
  rows: { total: 4, completed: 4, failed: 0, unfinished: 0, repeats: 1 },
  ...told,
});

const fails = { rule: 'min 0.9', passed: false, reason: '' };
const met = { rule: 'min 0.1', passed: true, reason: '' };
const worse: MetricResult['comparison'] = {
  ...{ pairs: 4, before: 1, after: 0.5, difference: -0.5, pValue: 0, adjustedPValue: 0, verdict: 'worse' },
  flips: { fixed: 1, broken: 3 },
};
const wrongAt = [{ node: 'agent_1', kind: 'right', rows: 3, examples: [] }];
const loop = (ended: readonly number[], ran: readonly number[] = [1, 2, 2, 1]): LoopIndex => {
  return { times: 2, ran, ended: ended.map((one) => one === 1) };
};
const turns = (...of: Parameters<typeof loop>): Partial<RowIndex> => ({ loops: new Map([['search', loop(...of)]]) });

const compared = {
  pairedBy: 'line' as const,
  ...{ paired: 4, onlyBefore: 0, onlyAfter: 0, newMetrics: [] },
  changes: [{ node: 'agent', change: 'changed' as const, parts: [{ part: 'template agent.jinja2' }] }],
};
const because = (
  causes: readonly string[],
  changes: NonNullable<EvalResult['comparison']>['changes'] = compared.changes,
): Partial<EvalResult> => ({
  baseline: { id: 'before', flow: 'f', startedAt: 0 },
  comparison: {
    ...compared,
    changes,
    firstWorse: [{ node: 'agent_1', metric: 'right', kind: 'worse', rows: 3, lines: [], causes }],
  },
});

interface Case {
  readonly says: string;
  readonly line?: Partial<RunLine>;
  readonly index?: Partial<RowIndex> | null;
  readonly result?: Partial<EvalResult>;
}

test.for<Case>([
  { says: 'All 4 rows completed. ' },
  { says: '', index: null },
  { says: '', line: { status: 'Running' } },
  { says: 'Stopped after 4 of 9 rows. ', line: { status: 'Canceled', total: 9 } },
  { says: '2 rows failed. ', line: { failed: countFigure(2, 'rows') }, index: null },
  {
    says: '1 row failed at search: TypeError: no good (and for 1 other reason). ',
    line: { failed: countFigure(1, 'rows') },
    index: {
      failures: [
        { node: 'search', code: 'TypeError', message: 'no good\nat x', messages: 1, retryable: false, count: 1 },
        { node: 'ask', code: 'E', message: '', messages: 1, retryable: false, count: 1 },
      ],
    },
  },
  { says: 'The gate passes. ', result: { metrics: [metric('right', { gate: met })] } },
  {
    says: 'Both gates pass. ',
    result: { metrics: [metric('right', { gate: met }), metric('other', { gate: met })] },
  },
  { says: '', result: { metrics: [metric('right', {})], firstBad: wrongAt, comparison: undefined as never } },
  {
    says: '1 of 2 gates fail. 3 of 4 rows went wrong first at agent_1 (right). ',
    result: { metrics: [metric('right', { gate: fails }), metric('other', { gate: met })], firstBad: wrongAt },
  },
  {
    says: 'The gate fails. 3 of 4 rows went wrong first at agent_1 (right), whose prompt agent.jinja2 changed. right is worse (−50 points): 3 rows broke, 1 was fixed. ',
    result: {
      metrics: [metric('right', { gate: fails, comparison: worse })],
      firstBad: wrongAt,
      ...because(['agent']),
    },
  },
  {
    says: 'The gate fails. 3 of 4 rows went wrong first at agent_1 (right), which was added. ',
    result: {
      metrics: [metric('right', { gate: fails })],
      firstBad: wrongAt,
      ...because(['agent'], [{ node: 'agent', change: 'added', parts: [] }]),
    },
  },
  {
    says: 'The gate fails. 3 of 4 rows went wrong first at agent_1 (right); before it, plan was removed. ',
    result: {
      metrics: [metric('right', { gate: fails })],
      firstBad: wrongAt,
      ...because(['plan'], [{ node: 'plan', change: 'removed', parts: [] }]),
    },
  },
  {
    says: 'The gate fails. 3 of 4 rows went wrong first at agent_1 (right). ',
    result: { metrics: [metric('right', { gate: fails })], firstBad: wrongAt, ...because(['agent', 'search']) },
  },
  { says: '1 row ended unfinished. ', index: { unfinished: 1 } },
  {
    says: 'The gate passes. 2 rows ended unfinished. ',
    index: { unfinished: 2 },
    result: { metrics: [metric('right', { gate: met })] },
  },
  { says: 'All 4 rows completed. search ended after turn 1 in 2 rows, 2 in 2. ', index: turns([1, 1, 1, 1]) },
  {
    says: 'All 4 rows completed. search ended after turn 1 in 2 rows, 2 in 1; never in 1. ',
    index: turns([1, 0, 1, 1]),
  },
  {
    says: 'All 4 rows completed. search ended after turn 1 in 1 row, 2 in 1; never in 1; before its first turn in 1. ',
    index: turns([1, 0, 1, 1], [1, 2, 2, 0]),
  },
  {
    says: 'All 4 rows completed. ask costs most: $0.40 of $0.50. ',
    index: {
      nodes: new Map([
        ['ask', node({ spent: spent({ cost: 0.4 }) })],
        ['tell', node({ spent: spent({ cost: 0.1 }) })],
      ]),
    },
  },
  { says: 'All 4 rows completed. ', index: { nodes: new Map([['ask', node({ spent: spent({ cost: 0.4 }) })]]) } },
  {
    says: 'All 4 rows completed. tell takes most tokens: 900 of 1,000. ',
    line: { tokens: countFigure(1000, 'tokens') },
    index: {
      nodes: new Map([
        ['ask', node({ spent: spent({ tokens: 100 }) })],
        ['tell', node({ spent: spent({ tokens: 900 }) })],
      ]),
    },
  },
  {
    says: 'All 4 rows completed. ask takes longest: half of its calls take more than 40 ms; then tell, 20 ms. ',
    index: {
      nodes: new Map([
        ['ask', node({ medianMs: 40 })],
        ['tell', node({ medianMs: 20 })],
      ]),
    },
  },
  {
    says: 'All 4 rows completed. ask takes longest: half of its calls take more than 40 ms; then tell, <1 ms. ',
    index: {
      nodes: new Map([
        ['ask', node({ medianMs: 40 })],
        ['tell', node({ medianMs: 0.527 })],
      ]),
    },
  },
  {
    says: 'All 4 rows completed. ',
    index: {
      nodes: new Map([
        ['ask', node({ medianMs: 0.9 })],
        ['tell', node({ medianMs: 0.2 })],
      ]),
    },
  },
])('a run says "$says"', ({ says, line: about = {}, index: read = {}, result: scored }) => {
  const found = runVerdict({ ...line, ...about }, read === null ? undefined : index(read), scored && result(scored));
  expect([...found.answer, ...found.details].flatMap(({ parts }) => parts.map(({ text }) => text)).join('')).toBe(says);
});

const told = (verdict: ReturnType<typeof runVerdict>): string =>
  [...verdict.answer, ...verdict.details].flatMap(({ parts }) => parts.map(({ text }) => text)).join('');

test.for<Case>([
  { says: '4 行すべてが完了しました。' },
  { says: '9 行中 4 行で停止しました。', line: { status: 'Canceled', total: 9 } },
  { says: '2 行が失敗しました。', line: { failed: countFigure(2, 'rows') }, index: null },
  {
    says: 'search で 1 行が失敗しました：TypeError: no good。',
    line: { failed: countFigure(1, 'rows') },
    index: {
      failures: [{ node: 'search', code: 'TypeError', message: 'no good', messages: 1, retryable: false, count: 1 }],
    },
  },
  {
    says: '基準 2 件中 1 件が未達です。4 行中 3 行が最初に誤ったのは agent_1（right）です。',
    result: { metrics: [metric('right', { gate: fails }), metric('other', { gate: met })], firstBad: wrongAt },
  },
  {
    says: '基準を満たしていません。4 行中 3 行が最初に誤ったのは agent_1（right）で、プロンプト agent.jinja2 が変更されています。right が悪化しました（−50 ポイント）：3 行が悪化、1 行が改善。',
    result: {
      metrics: [metric('right', { gate: fails, comparison: worse })],
      firstBad: wrongAt,
      ...because(['agent']),
    },
  },
  {
    says: '4 行すべてが完了しました。search が終わった周：1 周目 2 行、2 周目 1 行、終了せず 1 行。',
    index: turns([1, 0, 1, 1]),
  },
  {
    says: '4 行すべてが完了しました。search が終わった周：1 周目 1 行、2 周目 1 行、終了せず 1 行、1 周もせず 1 行。',
    index: turns([1, 0, 1, 1], [1, 2, 2, 0]),
  },
])('and in Japanese "$says"', ({ says, line: about = {}, index: read = {}, result: scored }) => {
  const rows = read === null ? undefined : index(read);
  const japanese = runVerdict({ ...line, ...about }, rows, scored && result(scored), 'ja');
  expect(told(japanese)).toBe(says);
  const english = runVerdict({ ...line, ...about }, rows, scored && result(scored), 'en');
  const linksOf = ({ answer, details }: typeof english): readonly string[] =>
    [...answer, ...details]
      .flatMap(({ rule, parts }) => [rule, ...parts.map(({ to }) => JSON.stringify(to) ?? '')])
      .sort();
  const kept = (links: readonly string[]): readonly string[] => links.filter((link) => link !== '');
  expect(kept(linksOf(japanese))).toEqual(kept(linksOf(english)));
});
