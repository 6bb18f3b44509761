import type { JsonObject, JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { fillSchema, type ReadTexts } from './fill-schema.ts';

const text = { type: 'string' };
const tools = { type: 'string', enum: ['<<Weather&&Air quality>>', '<<Trains&&Train delays>>', '<<Finish>>'] };

const described = {
  ...tools,
  description: [
    '<<Weather&&Air quality>>: Fine dust in a city today. (都市の空気)',
    '<<Trains&&Train delays>>: Whether a train is late. (列車の遅れ)',
  ].join('\n'),
};
const place = { type: 'object', properties: { from: text, to: text } };

test.for<{ what: string; schema: JsonObject; read?: Partial<ReadTexts>; filled: JsonValue }>([
  { what: 'the member that shares most', schema: tools, filled: '<<Trains&&Train delays>>' },
  { what: 'not one said before', schema: tools, read: { said: ['<<Trains&&Train delays>>'] }, filled: '<<Finish>>' },
  {
    what: 'where no name shares a word: the one whose description answers to the task, names and codes aside',
    schema: described,
    read: { asked: '列車ICE-571は遅れていますか' },
    filled: '<<Trains&&Train delays>>',
  },
  {
    what: 'the same one after the other, for each thing that is asked',
    schema: described,
    read: { asked: '列車の遅れと都市の空気を教えて', said: ['<<Trains&&Train delays>>'] },
    filled: '<<Weather&&Air quality>>',
  },
  {
    what: 'the one whose description answers to a word that stands where names stand',
    schema: {
      enum: ['<<Water&&Tide times>>', '<<Finish>>'],
      description: '<<Water&&Tide times>>: High and low water at a harbour today. (港の満潮、干潮の時刻)',
    },
    read: { asked: 'ハンブルク港の満潮の時刻は？' },
    filled: '<<Water&&Tide times>>',
  },
  {
    what: 'none where no description answers to it',
    schema: described,
    read: { asked: 'バイオリン教室の料金は？' },
    filled: '<<Finish>>',
  },
  {
    what: 'names in Japanese',
    schema: place,
    read: { asked: '大阪から新神戸までの明日の距離は？' },
    filled: { from: '大阪', to: '新神戸' },
  },
  {
    what: 'letters among Japanese ones',
    schema: place,
    read: { asked: 'EURからJPYの為替レートは？' },
    filled: { from: 'EUR', to: 'JPY' },
  },
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
    filled: { final_answer: 'It is late. (Answered by the offline stand-in, not by a model.)' },
  },
  {
    what: 'what the results say, to somebody who asks in Japanese',
    schema: { type: 'object', properties: { final_answer: text } },
    read: { asked: '遅れは？', results: [{ error: '', response: '12分の遅れです。' }] },
    filled: { final_answer: '12分の遅れです。（オフラインの代役による回答です。モデルの回答ではありません。）' },
  },
  {
    what: 'that there are no results',
    schema: { type: 'object', properties: { response: text } },
    filled: { response: 'There is no result to answer with. (Answered by the offline stand-in, not by a model.)' },
  },
  {
    what: 'once only who answers, where the result came of the stand-in itself',
    schema: { type: 'object', properties: { final_answer: text } },
    read: {
      asked: '開館は？',
      results: [
        { response: '答えになる結果がありません。（オフラインの代役による回答です。モデルの回答ではありません。）' },
      ],
    },
    filled: {
      final_answer: '答えになる結果がありません。（オフラインの代役による回答です。モデルの回答ではありません。）',
    },
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
  {
    what: 'the sentences of the task for a list of texts, the task itself for a request',
    schema: { type: 'object', properties: { parts: { type: 'array', items: text }, request: text } },
    read: { asked: 'Is ICE-571 late? 大阪の天気は？' },
    filled: { parts: ['Is ICE-571 late?', '大阪の天気は？'], request: 'Is ICE-571 late? 大阪の天気は？' },
  },
  { what: 'the task itself where it names nothing', schema: text, read: { asked: 'hello' }, filled: 'hello' },
  { what: 'lists, switches, constants', schema: { type: 'array' }, filled: [] },
])('$what', ({ schema, read = {}, filled }) => {
  const texts = { asked: 'Does the train ICE-571 to Kiel have delays of 3 hours?', said: [], results: [], ...read };
  expect(fillSchema(schema, texts)).toEqual(filled);
});
