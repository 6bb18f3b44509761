import { Float, Image, imageValue, type JsonValue, PythonDate } from '@unroll/engine';
import { expect, test } from 'vitest';
import { summarizeValue } from './summarize-value.ts';

const cases: readonly (readonly [JsonValue, string])[] = [
  ['two\n  lines', 'two lines'],
  [null, 'null'],
  [new Float(1), '1.0'],
  [{ a: 1, b: ['x', true] }, '{a: 1, b: ["x", true]}'],
  [{ role: 'assistant', content: 'It is.', function_call: null }, 'It is.'],
  [
    { role: 'assistant', content: null, function_call: { name: 'search', arguments: '{"query": "同意"}' } },
    'search({"query": "同意"})',
  ],
  [
    { role: 'assistant', content: null, tool_calls: [{ id: '1', function: { name: 'search', arguments: '{}' } }] },
    'search({})',
  ],
  [{ finished: false, query: 'q', function_results: [] }, '{finished: false, query: "q", function_results: []}'],
  [
    { finished: false, query: 'q', function_results: [{ name: 'search', arguments: {}, content: ['[1]\nfound'] }] },
    'search → [1] found',
  ],
  [{ finished: true, content: 'It is.' }, 'It is.'],
  [{ status: 'answered', answer: 'It is.', function_results: [] }, 'answered: It is.'],
  [{ content: 'It is.', finish_reason: 'stop', stop: null }, 'It is.'],
  [{ finished: true, content: { text: 'It is.', citations: [] } }, 'It is.'],
  [{ status: 'unfinished', answer: null }, 'unfinished'],
];

test.for(cases)('%j reads as %j', ([value, text]) => {
  expect(summarizeValue(value, 60)).toBe(text);
});

test('an image reads as it does in prompts', () => {
  const image = imageValue(new Image(Buffer.from('GIF89a')));
  expect(summarizeValue([image], 60)).toBe('[Image(25c9b37a)]');
});

test('an object that stays where the code runs reads as its text', () => {
  const date = new PythonDate('2026-11-28T10:00:00');
  expect(summarizeValue(date as unknown as JsonValue, 60)).toBe(String(date));
  expect(summarizeValue([date as unknown as JsonValue], 60)).toBe(`[${date}]`);
});

test('what is too wide is cut', () => {
  expect(summarizeValue('個人情報の保護に関する法律', 12)).toBe('個人情報の…');
});
