import type { RunInfo } from '@unroll/engine';
import { expect, test } from 'vitest';
import { mergeRuns } from './merge-runs.ts';
import { partsText } from './parts-text.ts';

type Definitions = Readonly<Record<string, Readonly<Record<string, string>>>>;

const runOf = (nodeDefinitions: Definitions, reads: Readonly<Record<string, readonly string[]>> = {}): RunInfo => ({
  id: 'r',
  flowPath: '',
  flowName: '',
  flowDigest: '',
  startedAt: 0,
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
