import { expect, test } from 'vitest';
import { doubtOfPassage } from './doubt-of-passage.ts';
import { judgeResults } from './judge-results.ts';
import { readPassages } from './read-passages.ts';

const hits = `[fees] What is the charge?
Three euros a parcel.
Also asked: How much does delivery cost? / Is delivery free?

[返品] 返品はできますか
14日以内ならできます。
別の尋ね方: 商品を送り返せますか`;

test('the last line of an entry tells what else it is asked by, and is not quoted', () => {
  expect(readPassages(hits)).toEqual([
    {
      id: 'fees',
      title: 'What is the charge?',
      text: 'Three euros a parcel.',
      asked: ['How much does delivery cost?', 'Is delivery free?'],
    },
    { id: '返品', title: '返品はできますか', text: '14日以内ならできます。', asked: ['商品を送り返せますか'] },
  ]);
});

test.for([
  ['Is the delivery free?', 'fees'],
  ['How much does delivery cost?', 'fees'],
  ['商品を送り返せますか', '返品'],
] as const)('%s is answered by the entry that is asked so as well, without a doubt', ([question, id]) => {
  const passages = readPassages(hits);
  const found = judgeResults(question, passages);
  expect(found?.id).toBe(id);
  expect(found === undefined ? '' : doubtOfPassage(question, question, found)).toBe('');
  const without = passages.map(({ asked: _, ...passage }) => passage).find((one) => one.id === id);
  expect(without === undefined ? '' : doubtOfPassage(question, question, without)).not.toBe('');
});

test('what no question that an entry answers asks for is doubted as before', () => {
  const [fees] = readPassages(hits);
  const question = 'Is the delivery free on Sundays?';
  expect(fees === undefined ? '' : doubtOfPassage(question, question, fees)).toContain('"Sundays"');
});

test('what an entry lacks is told of that question of it which lacks least; a case that no reader sees is none', () => {
  const [entry] = readPassages(`[ai] May it be typed in?
It may be, by contract.
Also asked: May staff use chatbots when they translate letters?`);
  const doubt = (question: string): string => (entry === undefined ? '' : doubtOfPassage(question, question, entry));
  expect(doubt('May staff use chatbots in summer?')).toBe(
    'This is the nearest that was found; it does not mention "summer".\n',
  );
  expect(doubt('May staff use chatbots?')).toBe(
    'This is the nearest that was found; it mentions what is asked for only in passing.\n',
  );
});
