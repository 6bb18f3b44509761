import type { RunInfo } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { mergeRuns } from './merge-runs.ts';
import { partsText } from './parts-text.ts';

type Definitions = Readonly<Record<string, Readonly<Record<string, string>>>>;

const runOf = (nodeDefinitions: Definitions, reads: Readonly<Record<string, readonly string[]>> = {}): RunInfo =>
  runInfo({
    nodes: Object.keys(nodeDefinitions).map((name) => ({ name, kind: 'llm', reads: reads[name] ?? [] })),
    nodeDefinitions,
  });

const digest = (digit: string): string => digit.repeat(32);

test.for([
  { left: { type: 'llm 1' }, right: { type: 'llm 1' }, told: ' changed' },
  {
    left: { 'template a.jinja2': digest('1') },
    right: { 'template a.jinja2': digest('2') },
    told: 'prompt a.jinja2 changed',
  },
  { left: { 'input model': 'x' }, right: { 'input model': 'y' }, told: 'input model (x → y) changed' },
  { left: {}, right: { 'key deployment': 'd' }, told: 'setting deployment (none → d) changed' },
  { left: { 'code f.py': digest('1') }, right: {}, told: 'code f.py changed' },
  {
    left: { activate: 'x is true' },
    right: { activate: 'x is false' },
    told: 'condition (x is true → x is false) changed',
  },
])('$left to $right is "$told"', ({ left, right, told }) => {
  const graph = mergeRuns(runOf({ a: left } as Definitions), runOf({ a: right } as Definitions), [
    { left: 'a', right: 'a' },
  ]);
  expect(partsText(graph.get('a')?.changedParts ?? [])).toBe(told);
});

test('a node that only reads a renamed node is defined as before', () => {
  const left = runOf({ old: {}, a: { 'input x': '${old.output.y}' } }, { a: ['old'] });
  const right = runOf({ new: {}, a: { 'input x': '${new.output.y}' } }, { a: ['new'] });
  const graph = mergeRuns(left, right, [
    { left: 'old', right: 'new' },
    { left: 'a', right: 'a' },
  ]);
  expect(graph.get('a')).toMatchObject({ changedParts: [], reads: ['new'] });
  expect(mergeRuns(left, right, [{ left: 'old' }, { right: 'new' }, { left: 'a', right: 'a' }]).get('a')).toMatchObject(
    {
      changedParts: [{ part: 'input x', left: '${old.output.y}', right: '${new.output.y}' }],
      reads: ['new', 'old'],
    },
  );
});

test('a file that is part of a definition and was read is told once; what was read beside it follows', () => {
  const run = (file: string, read: string): RunInfo => ({
    ...runOf({ a: { 'reads faq.jsonl': digest(file) } }),
    nodeReads: { a: { 'reads faq.jsonl': digest(file), 'variable TONE': read } },
  });
  const graph = mergeRuns(run('1', 'kind'), run('2', 'hard'), [{ left: 'a', right: 'a' }]);
  expect(graph.get('a')).toMatchObject({
    changedParts: [{ part: 'reads faq.jsonl' }, { part: 'variable TONE' }],
    changedReads: [{ part: 'reads faq.jsonl' }, { part: 'variable TONE' }],
  });
  const { nodeDefinitions: _, ...untold } = run('2', 'hard');
  const unknown = mergeRuns(run('1', 'kind'), untold, [{ left: 'a', right: 'a' }]).get('a');
  expect(unknown?.changedParts).toBeUndefined();
});

test('a node of both runs has what it reads in either; one of a single run says which', () => {
  const graphOf = (left: Partial<RunInfo>, right: Partial<RunInfo>, aligned: Parameters<typeof mergeRuns>[2]) =>
    mergeRuns({ ...runOf({}), ...left }, { ...runOf({}), ...right }, aligned);
  const node = { name: 'a', kind: 'llm', reads: ['x', 'y'], readsInputs: ['q'] };
  const instance = { loop: 'l', family: 'a', iteration: 2, aggregation: true };
  const other = { name: 'a', kind: 'python', reads: ['y', 'z'], readsInputs: ['p', 'q'], ...instance };
  const both = graphOf({ nodes: [node] }, { nodes: [other] }, [{ left: 'a', right: 'a' }]).get('a');
  expect(both).toEqual({
    name: 'a',
    kind: 'python',
    ...instance,
    reads: ['y', 'z', 'x'],
    readsInputs: ['p', 'q'],
    changedParts: undefined,
    changedReads: [],
    program: undefined,
  });
  expect(both).not.toHaveProperty('onlyIn');
  expect(graphOf({ nodes: [node] }, {}, [{ left: 'a' }]).get('a')).toMatchObject({
    onlyIn: 'left',
    aggregation: false,
  });
  expect(graphOf({}, { nodes: [node] }, [{ right: 'a' }]).get('a')).toMatchObject({
    onlyIn: 'right',
    reads: ['x', 'y'],
  });
});

test.for([
  [[], ' changed'],
  [[{ part: 'reads faq.jsonl' }], 'data faq.jsonl changed'],
  [
    [{ part: 'lists docs' }, { part: 'variable TONE' }, { part: 'own x' }],
    'folder docs, environment variable TONE and own x changed',
  ],
  [[{ part: 'times' }, { part: 'inputs' }], 'number of iterations and what it reads changed'],
  [[{ part: 'environment' }], 'something outside its definition changed'],
  [[{ part: 'type', left: 'llm 1', right: 'llm 2' }], 'node type (llm 1 → llm 2) changed'],
  [[{ part: 'key k', left: '3' }], 'setting k (3 → none) changed'],
  [[{ part: 'Unroll', left: '1', right: '2' }], 'Unroll 1 → 2'],
  [[{ part: 'Unroll', left: '1', right: '2' }, { part: 'template a' }], 'Unroll 1 → 2 and prompt a changed'],
] as const)('%j in words: %s', ([parts, told]) => {
  expect(partsText(parts)).toBe(told);
});
