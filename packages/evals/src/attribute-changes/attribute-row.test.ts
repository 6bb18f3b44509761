import type { NodePair, RowPair } from '@unroll/engine';
import { expect, test } from 'vitest';
import { attributeRow } from './attribute-row.ts';
import type { GraphNode, RunGraph } from './run-graph.ts';

/** `a! < inputs.q, b < a c`: b reads a and c; `!` the definition changed, `~` what its code read, `?` it is not told, `+` only right, `-` only left, `*` another Unroll, `%` it has a fallback. */
function graphOf(text: string): RunGraph {
  return new Map(text.split(', ').map((item) => [itemName(item), graphNode(item)]));
}

const itemName = (item: string): string => /^\w+/.exec(item)?.[0] ?? '';

function graphNode(item: string): GraphNode {
  const [head = '', reads = ''] = item.split(' < ');
  const names = reads.split(' ').filter((name) => name !== '');
  return {
    name: itemName(item),
    kind: 'python',
    aggregation: false,
    ...(head.endsWith('+') ? { onlyIn: 'right' } : head.endsWith('-') ? { onlyIn: 'left' } : {}),
    reads: names.filter((name) => !name.startsWith('inputs.')),
    readsInputs: names.flatMap((name) => (name.startsWith('inputs.') ? [name.slice(7)] : [])),
    program: head.endsWith('*') ? { part: 'Unroll', left: '0.1.0 (build a)', right: '0.1.1 (build b)' } : undefined,
    changedParts: head.endsWith('?') ? undefined : head.endsWith('!') ? [{ part: 'template' }] : [],
    ...(head.endsWith('%') ? { hasFallback: true } : {}),
    changedReads: head.endsWith('~') ? [{ part: 'variable KEY' }] : [],
  };
}

/** `a=oi`: output and inputs of a differ; `f` fingerprint differs, `F` it is the same, `s` status, `x` inputs unknown, `l`/`r` only there. */
function rowOf(text: string, inputs: readonly string[] = []): RowPair {
  const nodes = text.split(' ').map((item): NodePair => {
    const [node = '', marks = ''] = item.split('=');
    const has = (mark: string): boolean => marks.includes(mark);
    return {
      node,
      ...(has('r') ? {} : { left: 'Completed' }),
      ...(has('l') ? {} : { right: has('s') ? 'Failed' : 'Completed' }),
      outputDiffers: has('o'),
      ...(has('x') ? {} : { inputsDiffer: has('i') }),
      ...(has('f') || has('F') ? { fingerprintDiffers: has('f') } : {}),
    };
  });
  return { left: 'Completed', right: 'Completed', outputsDiffer: false, inputs, nodes };
}

const cases: readonly {
  readonly graph: string;
  readonly row: string;
  readonly inputs?: readonly string[];
  readonly told: string;
  readonly why: string;
}[] = [
  { why: 'nothing differs', graph: 'a!, b < a', row: 'a= b=', told: '' },
  {
    why: 'a cause and its effects',
    graph: 'a!, b < a, c < b',
    row: 'a=of b=oif c=oif',
    told: 'a cause; b effect a>b; c effect a>b>c',
  },
  { why: 'early cut-off', graph: 'a!, b < a, c < b', row: 'a=of b=i c=', told: 'a cause' },
  { why: 'noise below a cut-off', graph: 'a!, b < a', row: 'a=f b=oF', told: 'b noise' },
  { why: 'noise and what it does', graph: 'a, b < a', row: 'a=oF b=oif', told: 'a noise; b effect a>b' },
  {
    why: 'what its code read is no chance',
    graph: 'a~, b < a',
    row: 'a=oF b=oif',
    told: 'a cause [variable KEY]; b effect a>b',
  },
  { why: 'the same definition and inputs, no fingerprints', graph: 'a', row: 'a=o', told: 'a noise' },
  { why: 'a changed template that renders the same', graph: 'a!', row: 'a=oF', told: 'a noise' },
  { why: 'definition and inputs', graph: 'a!, b! < a', row: 'a=o b=oi', told: 'a cause; b both a>b' },
  {
    why: 'below both',
    graph: 'a!, b! < a, c < b',
    row: 'a=o b=oi c=oi',
    told: 'a cause; b both a>b; c effect b>c & a>b>c',
  },
  { why: 'two causes', graph: 'a!, b!, c < a b', row: 'a=o b=o c=oi', told: 'a cause; b cause; c effect a>c & b>c' },
  {
    why: 'the shorter of two ways',
    graph: 'a!, b < a, c < b a',
    row: 'a=o b=oi c=oi',
    told: 'a cause; b effect a>b; c effect a>c',
  },
  {
    why: 'inputs of the row',
    graph: 'a < inputs.q, b < a',
    row: 'a=oi b=oi',
    inputs: ['q'],
    told: 'a input inputs.q>a; b effect inputs.q>a>b',
  },
  { why: 'another input of the row', graph: 'a! < inputs.q', row: 'a=oi', inputs: ['z'], told: 'a cause' },
  {
    why: 'inputs of the row and a definition',
    graph: 'a! < inputs.q',
    row: 'a=oi',
    inputs: ['q'],
    told: 'a both inputs.q>a',
  },
  {
    why: 'inputs of the row and a node before',
    graph: 'a!, b < a inputs.q',
    row: 'a=o b=oi',
    inputs: ['q'],
    told: 'a cause; b effect inputs.q>b & a>b',
  },
  { why: 'bound otherwise', graph: 'a, b < a', row: 'a= b=oi', told: 'b cause [inputs]' },
  { why: 'what only the fingerprint knows', graph: 'a', row: 'a=of', told: 'a cause [environment]' },
  { why: 'another connection answered', graph: 'a%', row: 'a=of', told: 'a cause [answering]' },
  { why: 'another Unroll, the same fingerprint', graph: 'a*', row: 'a=oF', told: 'a cause [Unroll]' },
  {
    why: 'another Unroll and what it does',
    graph: 'a*, b* < a',
    row: 'a=oF b=oif',
    told: 'a cause [Unroll]; b effect a>b',
  },
  { why: 'another Unroll, no fingerprints', graph: 'a*', row: 'a=o', told: 'a cause [Unroll]' },
  {
    why: 'another Unroll, and something only the fingerprint knows',
    graph: 'a*',
    row: 'a=of',
    told: 'a cause [environment,Unroll]',
  },
  { why: 'a status is a result', graph: 'a!, b < a', row: 'a=s b=sx', told: 'a cause; b effect a>b' },
  { why: 'failed by itself', graph: 'a, b < a', row: 'a=s b=sx', told: 'a noise; b effect a>b' },
  { why: 'no definitions', graph: 'a?, b? < a', row: 'a=o b=oi', told: 'a unknown; b unknown a>b' },
  { why: 'an effect of something unknown', graph: 'a?, b < a', row: 'a=o b=oi', told: 'a unknown; b effect a>b' },
  { why: 'an added node', graph: 'n+, b! < n a, a', row: 'n=orx a= b=oi', told: 'n cause [added]; b both n>b' },
  { why: 'a removed node', graph: 'n-, b < n', row: 'n=olx b=oi', told: 'n cause [removed]; b effect n>b' },
  { why: 'a record that is missing', graph: 'a!', row: 'a=olx', told: 'a unknown' },
  {
    why: 'reads that were turned round',
    graph: 'a! < b, b < a',
    row: 'a=oi b=oi',
    told: 'a both b>a; b cause [inputs]',
  },
];

test.for(cases)('$why', ({ graph, row, inputs = [], told }) => {
  const attributions = attributeRow(rowOf(row, inputs), graphOf(graph));
  const text = [...attributions].map(([name, { kind, parts, paths }]) => {
    const own = parts.length === 0 || parts[0]?.part === 'template' ? '' : ` [${parts.map(({ part }) => part)}]`;
    const ways = paths.map((path) => path.steps.join('>')).join(' & ');
    return `${name} ${kind}${own}${ways === '' ? '' : ` ${ways}`}`;
  });
  expect(text.join('; ')).toBe(told);
});
