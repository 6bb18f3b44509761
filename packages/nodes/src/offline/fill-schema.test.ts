import type { JsonObject, JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { fillSchema, type ReadTexts } from './fill-schema.ts';

const text = { type: 'string' };
const tools = { type: 'string', enum: ['<<Weather&&Air quality>>', '<<Trains&&Train delays>>', '<<Finish>>'] };

test.for<{ what: string; schema: JsonObject; read?: Partial<ReadTexts>; filled: JsonValue }>([
  { what: 'the member that shares most', schema: tools, filled: '<<Trains&&Train delays>>' },
  { what: 'not one said before', schema: tools, read: { said: ['<<Trains&&Train delays>>'] }, filled: '<<Finish>>' },
  {
    what: 'an argument each: codes, names, numbers',
    schema: {
      type: 'object',
      properties: {
        train: { ...text, pattern: '^[A-Z0-9-]*\\d[A-Z0-9-]*$' },
        city: text,
        hours: { type: 'integer' },
        class: { type: ['integer', 'null'] },
      },
    },
    filled: { train: 'ICE-571', city: 'Kiel', hours: 3, class: null },
  },
  {
    what: 'what the results say',
    schema: { type: 'object', properties: { final_answer: text } },
    read: {
      results: [
        { error: '', response: 'It is late.' },
        { error: 'Timeout error...', response: '' },
      ],
    },
    filled: { final_answer: 'It is late.  (Answered by the offline stand-in, not by a model.)' },
  },
  {
    what: 'giving up without results',
    schema: { enum: ['give_up_and_restart', 'give_answer'] },
    filled: 'give_up_and_restart',
  },
  {
    what: 'an answer with results',
    schema: { enum: ['give_up_and_restart', 'give_answer'] },
    read: { results: [{ response: 'x' }] },
    filled: 'give_answer',
  },
  { what: 'the task itself where it names nothing', schema: text, read: { asked: 'hello' }, filled: 'hello' },
  { what: 'lists, switches, constants', schema: { type: 'array' }, filled: [] },
])('$what', ({ schema, read = {}, filled }) => {
  const texts = { asked: 'Does the train ICE-571 to Kiel have delays of 3 hours?', said: [], results: [], ...read };
  expect(fillSchema(schema, texts)).toEqual(filled);
});
