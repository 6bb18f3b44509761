import type { JsonObject } from '@unroll/engine';
import { expect, test } from 'vitest';
import { spokenOutputs } from './spoken-outputs.ts';

const fact = (name: string, text: string) => ({ name, text });

test.for<[JsonObject, string | undefined, string, readonly object[]]>([
  [{ answer: '一行目\n二行目', status: 'answered' }, undefined, '一行目\n二行目', [fact('status', 'answered')]],
  [{ status: 'ok', answer: 'yes' }, undefined, 'yes', [fact('status', 'ok')]],
  [{ answer: 'no', reply: 'yes' }, 'reply', 'yes', [fact('answer', 'no')]],
  [{ answer: null, reply: 'yes' }, 'answer', 'yes', [fact('answer', 'null')]],
  [{ count: 3, text: 'three', more: [1] }, undefined, 'three', [fact('count', '3'), fact('more', '[1]')]],
  [{ count: 3 }, undefined, '3', []],
  [{ a: 1, b: 2 }, undefined, '{\n  "a": 1,\n  "b": 2\n}', []],
])('of %j with %j marked, %j is said', ([outputs, marked, answer, others]) => {
  const said = spokenOutputs(outputs, marked);
  expect([said.answer.text, said.others]).toEqual([answer, others]);
});
