import { expect, test } from 'vitest';
import { type AskedQuestion, askQuestions } from './offline-questions/ask-questions.ts';

/** Of the questions of a newcomer to the samples, how many the stand-in answers sensibly, and those it answers with something else. */
function result(asked: readonly AskedQuestion[]): { readonly sensible: number; readonly wrong: readonly string[] } {
  return {
    sensible: asked.filter(({ verdict }) => verdict === 'sensible').length / asked.length,
    wrong: asked.filter(({ verdict }) => verdict === 'wrong').map(({ question, answer }) => `${question} ${answer}`),
  };
}

test('questions that the rules were made with', async () => {
  const { sensible, wrong } = result(await askQuestions('worked-with.jsonl'));
  expect(wrong).toEqual([]);
  expect(sensible).toBeGreaterThanOrEqual(0.7);
});

test('questions that were kept aside until the rules were made', async () => {
  const { sensible, wrong } = result(await askQuestions('kept-aside.jsonl'));
  // It quotes what is said of one of two things, and takes 住民票コード for 住民票.
  expect(wrong.map((one) => one.split(' ')[0])).toEqual([
    '仮名加工情報と匿名加工情報の違いは何ですか',
    '共同利用の条件と、オプトアウトの意味を教えて',
    '住民票はどこでもらえますか',
    'Is',
  ]);
  expect(sensible).toBeGreaterThanOrEqual(0.75);
});
