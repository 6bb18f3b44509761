import type { JsonValue, NodeRun } from '@unroll/engine';
import { expect, test } from 'vitest';
import { explainRun } from './explain-run.ts';

const ran = (output: JsonValue): NodeRun => ({
  line: 0,
  node: 'a',
  kind: 'python',
  status: 'Completed',
  output,
  fingerprint: 'f',
});
const program = { part: 'Unroll', left: '0.1.0 (build a)', right: '0.1.1 (build b)' };

test.for([
  { what: 'another Unroll gave another output', before: 'x', now: 'y', program, told: program },
  { what: 'another Unroll gave the same', before: 'x', now: 'x', program, told: undefined },
  { what: 'the same Unroll gave another output', before: 'x', now: 'y', program: undefined, told: undefined },
])('the same fingerprint, $what', ({ before, now, program: made, told }) => {
  const earlier = { record: ran(before), parts: {}, hasRow: true, ...(made === undefined ? {} : { program: made }) };
  const because = { kind: 'nothing changed', ...(told === undefined ? {} : { program: told }) };
  expect(explainRun(ran(now), {}, earlier)).toEqual({ kind: 'ran', because });
});
