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
  // It tells of the alerts alone: no tool speaks of health.
  expect(wrong.map((one) => one.split(' ')[0])).toEqual(['Is']);
  expect(sensible).toBeGreaterThanOrEqual(0.75);
});

test('what is quoted without a doubt answers, of 80 questions on the law and off it that a stranger to the rules wrote', async () => {
  const asked = await askQuestions('of-strangers.jsonl');
  expect(result(asked).wrong).toEqual([]);
  // Words are compared, those of the other questions of an entry too: where yet others are used, nothing is found.
  expect(asked.filter(({ verdict }) => verdict === 'sensible').length).toBeGreaterThanOrEqual(72);
  expect(asked.filter(({ verdict }) => verdict === 'doubted').length).toBeLessThanOrEqual(6);
});
