import { bindReferences, type Plan, parseFlow } from '@unroll/engine';
import { expect, test } from 'vitest';
import { bindTestInputs } from './bind-test-inputs.ts';

function planOf(inputs: string): Plan {
  const { spec } = parseFlow({ path: 'flow.dag.yaml', text: `inputs: ${inputs}\nnodes: []\n` }, { nodeTypes: [] });
  const { plan } = spec === undefined ? {} : bindReferences(spec);
  if (plan === undefined) throw new Error('bug: the flow of the test is wrong');
  return plan;
}

test('all that is missing is told at once, in Prompt flow’s words', () => {
  const plan = planOf(
    '{a: {type: string}, b: {type: int, default: 0}, c: {type: list}, d: {type: string, default: null}}',
  );
  expect(bindTestInputs(plan, { c: null })).toMatchObject({
    ok: false,
    missing: ['a', 'd'],
    error: { message: `Required input(s) ['a', 'd'] are missing for "flow".` },
  });
  expect(bindTestInputs(plan, { a: '', c: [], d: null })).toEqual({ ok: true, inputs: { a: '', c: [], d: null } });
});

test.for([
  ['{q: {type: string, is_chat_input: true}, chat_history: {type: list}}', { chat_history: [] }],
  ['{q: {type: string, is_chat_input: true}, past: {type: list, is_chat_history: true}}', { past: [] }],
  ['{q: {type: string, is_chat_input: true}, chat_history: {type: list, default: [1]}}', {}],
  ['{q: {type: string}, chat_history: {type: string}}', { chat_history: [] }],
] as const)('with %s the history starts empty', ([inputs, added]) => {
  expect(bindTestInputs(planOf(inputs), { q: 'hi' })).toEqual({ ok: true, inputs: { q: 'hi', ...added } });
});

test('an input called chat_history that is marked as none is an input like any other', () => {
  const plan = planOf('{q: {type: string, is_chat_input: true}, chat_history: {type: list, is_chat_history: false}}');
  expect(bindTestInputs(plan, { q: 'hi' })).toMatchObject({ ok: false, missing: ['chat_history'] });
});
