import type { JsonObject, JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { argumentsFromText, readReact } from './react-text.ts';

test.for<readonly [text: string, called: JsonValue | undefined]>([
  [' t\nAction: search\nAction Input: two words', ['search', 'two words']],
  [' t\nAction:search\nAction Input:two words', ['search', 'two words']],
  [' t\nAction:\nsearch\nAction Input:\ntwo words', ['search', 'two words']],
  [' t\r\nAction: search\r\nAction Input: two words\r\n', ['search', 'two words']],
  [' t\n\nAction 1: search\n\nAction Input 1: "two words"\n', ['search', 'two words']],
  [' t\nAction: search\nAction Input:\nObservation: made up', ['search', '']],
  [' t\nAction: search\nAction Input: one\ntwo\nObservation: made up', ['search', 'one\ntwo']],
  [' t\nAction:\nAction Input: two words', undefined],
  [' t\nAction: search', undefined],
])('the call in %j', ([text, called]) => {
  const turn = readReact(text);
  expect(turn.kind === 'calls' ? [turn.calls[0]?.name, turn.calls[0]?.arguments] : undefined).toEqual(called);
});

const text = { properties: { input: { type: 'string' } }, required: ['input'] };
const two = { properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] };

test.for<readonly [text: string, parameters: JsonObject, given: JsonValue | undefined]>([
  ['Tokyo', text, { input: 'Tokyo' }],
  ['{"input": "Tokyo"}', text, { input: 'Tokyo' }],
  ['{"query": "Tokyo"}', text, { input: '{"query": "Tokyo"}' }],
  ['{"input": "Tokyo", "n": 1}', text, { input: 'Tokyo', n: 1 }],
  ['{"n": 1}', { properties: { input: { type: 'object' } } }, { n: 1 }],
  ['{x}', text, { input: '{x}' }],
  ['Tokyo', two, { a: 'Tokyo' }],
  ['{"c": 1}', two, { c: 1 }],
  ['Tokyo', { properties: {} }, undefined],
])('what %j is to a tool of %j', ([given, parameters, expected]) => {
  expect(argumentsFromText(given, { parameters })).toEqual(expected);
});
