import type { JsonValue, NodeRun } from '@unroll/engine';
import { expect, test } from 'vitest';
import { explainRun, type NodeSide } from './explain-run.ts';
import type { Reason } from './explanation.ts';

const ran = (output: JsonValue): NodeRun => ({
  line: 0,
  node: 'a',
  kind: 'python',
  status: 'Completed',
  output,
  fingerprint: 'f',
});
const side = (more: Partial<NodeSide> = {}): NodeSide => ({
  run: 'before',
  record: ran('x'),
  parts: {},
  hasRow: true,
  ...more,
});
const program = { part: 'Unroll', left: '0.1.0 (build a)', right: '0.1.1 (build b)' };

test.for([
  { what: 'another Unroll gave another output', before: 'x', now: 'y', program, told: program },
  { what: 'another Unroll gave the same', before: 'x', now: 'x', program, told: undefined },
  { what: 'the same Unroll gave another output', before: 'x', now: 'y', program: undefined, told: undefined },
])('the same fingerprint, $what', ({ before, now, program: made, told }) => {
  const earlier = side({ record: ran(before), ...(made === undefined ? {} : { program: made }) });
  const because = { kind: 'nothing changed', ...(told === undefined ? {} : { program: told }) };
  expect(explainRun(ran(now), {}, earlier)).toEqual({ kind: 'ran', because });
});

const other = (more: Partial<NodeRun> = {}): NodeRun => ({ ...ran('x'), fingerprint: 'g', ...more });
const because = (run: NodeRun, made: Parameters<typeof explainRun>[1], earlier: NodeSide | undefined): Reason => {
  const told = explainRun(run, made, earlier);
  if (told.kind !== 'ran') throw new Error(`bug: ${told.kind}`);
  return told.because;
};

test('what was taken from an earlier run, and what did not run, is told as that', () => {
  expect(explainRun({ ...ran('x'), cachedFrom: 'before' }, {}, side())).toEqual({ kind: 'taken', from: 'before' });
  for (const status of ['Bypassed', 'NotRun'] as const) {
    expect(explainRun({ ...ran('x'), status }, {}, side())).toEqual({ kind: 'not run', status });
  }
});

test('what was taken from a third run is told with how it differs from the run it is compared with', () => {
  const taken = { ...ran('x'), cachedFrom: 'third' };
  expect(explainRun(taken, {}, side())).toEqual({ kind: 'taken', from: 'third', beside: [] });
  const otherwise = explainRun({ ...other(), cachedFrom: 'third' }, { parts: { connection: 'b' } }, side());
  const differences = [{ part: 'connection', changes: [{ path: '', right: 'b' }] }];
  expect(otherwise).toEqual({ kind: 'taken', from: 'third', beside: differences });
  expect(explainRun(taken, {}, side({ record: undefined }))).toEqual({ kind: 'taken', from: 'third' });
  expect(explainRun(taken, {}, side({ record: failed }))).toEqual({ kind: 'taken', from: 'third' });
});

const { fingerprint: _, ...unprinted } = ran('x');
const failed: NodeRun = { ...ran('x'), status: 'Failed' };

test.for<
  [what: string, run: NodeRun, parts: Readonly<Record<string, string>>, earlier: NodeSide | undefined, told: Reason]
>([
  ['there is no earlier run', ran('x'), { effects: 'writes' }, undefined, { kind: 'nothing to take from' }],
  ['it may write', ran('x'), { effects: 'writes' }, side(), { kind: 'always', part: 'effects' }],
  ['nobody sees what it reads', ran('x'), { effects: 'reads unseen' }, side(), { kind: 'always', part: 'unseen' }],
  ['the author says so', ran('x'), { cache: 'false', effects: 'writes' }, side(), { kind: 'always', part: 'cache' }],
  ['its output is not kept', other({ notKept: 'no JSON' }), {}, side(), { kind: 'not kept', why: 'no JSON' }],
  [
    'the earlier output was not',
    other(),
    {},
    side({ record: { ...ran('x'), notKept: 'no' } }),
    { kind: 'not kept', why: 'no' },
  ],
  ['the row is new', other(), {}, side({ record: undefined, hasRow: false }), { kind: 'no such row' }],
  ['the node is new', other(), {}, side({ record: undefined }), { kind: 'no such node' }],
  ['it failed before', other(), {}, side({ record: failed }), { kind: 'did not complete', status: 'Failed' }],
  ['this run has no fingerprint', unprinted, {}, side(), { kind: 'no fingerprint' }],
  ['the earlier has none', other(), {}, side({ record: unprinted }), { kind: 'no fingerprint' }],
])('a node ran because %s', ([, run, parts, earlier, told]) => {
  expect(because(run, { parts }, earlier)).toEqual(told);
});

test.for<[what: string, now: NodeSide['reads'], before: NodeSide['reads'], told: Reason]>([
  ['code read the same', { 'reads faq': '1' }, { 'reads faq': '1' }, { kind: 'nothing changed' }],
  [
    'code read something else',
    { 'reads faq': '2', 'variable A': 'x' },
    { 'reads faq': '1', 'variable A': 'x' },
    { kind: 'changed', differences: [{ part: 'reads faq', changes: [] }] },
  ],
  ['the earlier run did not see its code', { 'reads faq': '1' }, undefined, { kind: 'not seen', what: undefined }],
  [
    'its code did what nobody can compare',
    { 'reads faq': '1' },
    { 'reads faq': '1', 'unseen network': '' },
    { kind: 'not seen', what: ['network'] },
  ],
])('the same fingerprint, and %s', ([, reads, before, told]) => {
  expect(because(ran('x'), { reads }, side({ reads: before }))).toEqual(told);
});

test('what changed: the definition first, then the prompt as it was sent, then what went in', () => {
  const before = {
    ...ran('x'),
    kind: 'llm',
    promptMessages: [{ role: 'user', content: 'hello' }],
    inputs: { q: 'a', gone: 1, same: 5, k: 3 },
  };
  const now = {
    ...other(),
    kind: 'llm',
    promptMessages: [{ role: 'user', content: 'hallo' }],
    inputs: { q: 'b', same: 5, k: 4, more: true },
  };
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)];
  const parts = (digest: string, temperature: string, name: string, own: Readonly<Record<string, string>>) => ({
    'template ask.jinja2': digest,
    'code f.py': digest,
    'key temperature': temperature,
    'input q': '${inputs.q}',
    activate: digest,
    connection: name,
    ...own,
  });
  const told = because(
    now,
    { parts: parts(two, '1', 'c', { 'key new': 'x' }) },
    side({ record: before, parts: parts(one, '0', 'c', { 'key old': 'y' }) }),
  );
  if (told.kind !== 'changed') throw new Error(`bug: ${told.kind}`);
  const brief = told.differences.map(({ part, from, changes }) => [
    part,
    from,
    changes.map(({ path, left, right }) => [path, left, right]),
  ]);
  expect(brief).toEqual([
    ['code f.py', undefined, []],
    ['key temperature', undefined, [['', '0', '1']]],
    ['key new', undefined, [['', undefined, 'x']]],
    ['key old', undefined, [['', 'y', undefined]]],
    ['prompt', 'template ask.jinja2', [['messages[0].content', 'hello', 'hallo']]],
    ['input q', 'inputs.q', []],
    ['input k', undefined, [['', 3, 4]]],
    ['input more', undefined, [['', undefined, true]]],
    ['input gone', undefined, [['', 1, undefined]]],
  ]);
});

test('where no prompt tells it, what went in is told with where it came from; of a prompt node its text is the prompt', () => {
  const parts = { 'input q': '${inputs.q}', 'template a': 'same' };
  const record = { ...ran('x'), inputs: { q: 'a' } };
  const plain = because({ ...other(), inputs: { q: 'b' } }, { parts }, side({ record, parts }));
  expect(plain).toMatchObject({
    differences: [{ part: 'input q', from: 'inputs.q', changes: [{ left: 'a', right: 'b' }] }],
  });
  const prompt = because(
    { ...other({ kind: 'prompt', output: 'hallo b' }), inputs: { q: 'b' } },
    { parts },
    side({ record: { ...record, kind: 'prompt', output: 'hello a' }, parts }),
  );
  if (prompt.kind !== 'changed') throw new Error(`bug: ${prompt.kind}`);
  expect(prompt.differences.map(({ part, from, changes }) => [part, from, changes.length])).toEqual([
    ['prompt', undefined, 1],
    ['input q', 'inputs.q', 0],
  ]);
});
