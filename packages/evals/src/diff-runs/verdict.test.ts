import { expect, test } from 'vitest';
import type { NodeDiff, RowCounts, RunDiff } from './run-diff.ts';
import { diffSentences, isSame, verdict } from './verdict.ts';

const node = (name: string, rest: Partial<NodeDiff> = {}): NodeDiff => ({
  name,
  kind: 'python',
  instances: [name],
  isAggregation: false,
  changedParts: [],
  same: 60 - (rest.changed ?? 0),
  changed: 0,
  statusDiffers: 0,
  failedLeft: 0,
  failedRight: 0,
  kinds: {},
  effectsOf: {},
  causeParts: [],
  origins: [],
  ...rest,
});

const diffOf = (nodes: readonly NodeDiff[], rest: Partial<RowCounts> = {}): RunDiff => {
  const none = { same: 60, outputsDiffer: 0, failedLeft: 0, failedRight: 0, onlyLeft: 0, onlyRight: 0 };
  return { rows: { left: 60, right: 60, paired: 60, ...none, ...rest }, nodes, patterns: new Map() };
};

const agent = node('agent', {
  instances: ['agent_1', 'agent_2'],
  changed: 20,
  changedParts: [{ part: 'template' }],
  kinds: { cause: 18, both: 2 },
  causeParts: [{ part: 'template' }],
});
const effects = node('function', { changed: 20, kinds: { effect: 18, noise: 2 }, effectsOf: { cause: 16, noise: 2 } });
const untold = { changedParts: undefined };

test.for([
  { diff: diffOf([node('a')]), told: 'The same in 60 rows: every node, every output.' },
  {
    diff: diffOf([
      node('a', { changedParts: [{ part: 'code a.py' }, { part: 'input temperature', left: '0', right: '0.7' }] }),
    ]),
    told: 'The same in 60 rows: every node, every output. Without effect: a (code a.py and input temperature (0 → 0.7) changed).',
  },
  {
    diff: diffOf([agent, effects], { same: 40, outputsDiffer: 12 }),
    told: 'answer changed in 12 of 60 rows. Cause: agent (prompt changed, flow.dag.yaml:23). 16 changes are effects of it; 2 are noise; 2 are effects of noise.',
  },
  {
    diff: diffOf([agent, { ...agent, name: 'agent_2' }], { same: 40, outputsDiffer: 1 }),
    told: 'answer changed in 1 of 60 rows. Causes: agent, agent_2 (prompt changed, flow.dag.yaml:23).',
  },
  {
    diff: diffOf([node('a', { changed: 1, kinds: { noise: 1 } })], { same: 59 }),
    told: 'answer the same in 60 rows, but not every node. No definition changed. 1 change is noise.',
  },
  {
    diff: diffOf(
      [agent, node('a', { onlyIn: 'right', changed: 60, kinds: { cause: 60 }, causeParts: [{ part: 'added' }] })],
      {
        same: 0,
      },
    ),
    told: 'answer the same in 60 rows, but not every node. Causes: agent (prompt changed, flow.dag.yaml:23), a (added).',
  },
  {
    diff: diffOf(
      [
        node('a', { changed: 5, kinds: { input: 5 } }),
        node('b', { changed: 1, kinds: { effect: 1 }, effectsOf: { input: 1 } }),
      ],
      { same: 55, outputsDiffer: 1 },
    ),
    told: 'answer changed in 1 of 60 rows. No definition changed. 6 changes are due to other inputs.',
  },
  {
    diff: diffOf(
      [
        node('a', { changed: 5, kinds: { unknown: 5 }, ...untold }),
        node('b', {
          changed: 4,
          kinds: { unknown: 4 },
          ...untold,
          origins: [{ name: 'a', from: 'unknown', rows: 4, steps: ['a', 'b'] }],
        }),
      ],
      { same: 55, outputsDiffer: 4 },
    ),
    told: 'answer changed in 4 of 60 rows. Why is not known: a run tells no definitions. The first node that differs is a, in 5 rows.',
  },
  {
    diff: diffOf([node('a')], { onlyLeft: 1, onlyRight: 2 }),
    told: 'The same in 60 rows. 1 row is only in A. 2 rows are only in B.',
  },
  {
    diff: diffOf([node('a')], { paired: 0, same: 0, onlyLeft: 60 }),
    told: 'No row of one run is in the other. 60 rows are only in A.',
  },
])('$told', ({ diff, told }) => {
  const placeOf = (name: string) => (name.startsWith('agent') ? 'flow.dag.yaml:23' : undefined);
  expect(verdict(diff, { outputs: ['answer'], placeOf })).toBe(told);
});

test.for([
  {
    diff: diffOf([node('a', { changedParts: [{ part: 'input temperature', left: '0', right: '0.7' }] })]),
    told: '60 行すべてで、ノードも出力も同じです。影響のない変更：a（入力 temperature（0 → 0.7）の変更）。',
  },
  {
    diff: diffOf([agent, effects], { same: 40, outputsDiffer: 12 }),
    told: '60 行中 12 行で answer が変わりました。原因：agent（プロンプトの変更、flow.dag.yaml:23）。違いの内訳：原因からの影響 16 件、ゆらぎ 2 件、ゆらぎからの影響 2 件。',
  },
  {
    diff: diffOf([node('a', { changed: 1, kinds: { noise: 1 } })], { same: 59 }),
    told: '60 行すべてで answer は同じですが、途中のノードに違いがあります。定義は変わっていません。違いの内訳：ゆらぎ 1 件。',
  },
  {
    diff: diffOf([node('a', { changed: 5, kinds: { unknown: 5 }, ...untold })], { same: 55, outputsDiffer: 4 }),
    told: '60 行中 4 行で answer が変わりました。実行の記録に定義がないため、理由は不明です。最初に違いが出るノードは a（5 行）です。',
  },
  {
    diff: diffOf([node('a')], { paired: 0, same: 0, onlyLeft: 60 }),
    told: '両方の実行に共通する行はありません。A だけにある行が 60 行あります。',
  },
])('in Japanese: $told', ({ diff, told }) => {
  const placeOf = (name: string) => (name.startsWith('agent') ? 'flow.dag.yaml:23' : undefined);
  const sentences = diffSentences(diff, { outputs: ['answer'], placeOf }, 'ja');
  expect(sentences.map(({ parts }) => parts.map(({ text }) => text).join('')).join('')).toBe(told);
  const rulesOf = (all: typeof sentences) => all.map(({ rule }) => rule);
  expect(rulesOf(sentences)).toEqual(rulesOf(diffSentences(diff, { outputs: ['answer'], placeOf })));
});

test('a run is the same without one difference of a row or a node', () => {
  expect(
    [diffOf([node('a')]), diffOf([agent]), diffOf([], { onlyRight: 1 }), diffOf([], { same: 59 })].map(isSame),
  ).toEqual([true, false, false, false]);
});
