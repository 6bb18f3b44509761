import { expect, test } from 'vitest';
import { bleu, chrf, rougeL, wordF1 } from './text-metrics.ts';
import { wordsOf } from './text-tokens.ts';

/** Figures of sacreBLEU 2.6.0 (sentence_bleu with effective order over words between spaces, sentence_chrf) and rouge-score 0.1.2. */
const published: readonly {
  readonly text: string;
  readonly reference: string;
  readonly bleu: number;
  readonly chrf: number;
  readonly rougeL?: number;
}[] = [
  {
    text: 'the cat sat on the mat',
    reference: 'the cat is on the mat',
    bleu: 0.379918,
    chrf: 0.645779,
    rougeL: 0.833333,
  },
  {
    text: 'a quick brown fox',
    reference: 'the quick brown fox jumps over the lazy dog',
    bleu: 0.170357,
    chrf: 0.374394,
    rougeL: 0.461538,
  },
  { text: 'hello world', reference: 'hello world', bleu: 1.0, chrf: 1.0, rougeL: 1.0 },
  {
    text: 'one two three four five six',
    reference: 'six five four three two one',
    bleu: 0.127033,
    chrf: 0.480674,
    rougeL: 0.166667,
  },
  {
    text: 'it is a guide to action which ensures that the military always obeys the commands of the party',
    reference: 'it is a guide to action that ensures that the military will forever heed party commands',
    bleu: 0.42086,
    chrf: 0.642248,
    rougeL: 0.647059,
  },
  { text: 'nothing shared here', reference: 'completely different words', bleu: 0.0, chrf: 0.104645, rougeL: 0.0 },
  { text: '個人情報を守ります', reference: '個人情報を保護します', bleu: 0.0, chrf: 0.355631 },
  { text: '猫が好きです', reference: '猫が大好きです', bleu: 0.0, chrf: 0.375403 },
  {
    text: 'short',
    reference: 'a much longer reference sentence than the text',
    bleu: 0.0,
    chrf: 0.031056,
    rougeL: 0.0,
  },
];

const bySpaces = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

test.for(published)('$text, against $reference', ({ text, reference, ...wanted }) => {
  expect(bleu(text, reference, bySpaces)).toBeCloseTo(wanted.bleu, 5);
  expect(chrf(text, reference)).toBeCloseTo(wanted.chrf, 5);
  if (wanted.rougeL !== undefined) expect(rougeL(text, reference)).toBeCloseTo(wanted.rougeL, 5);
});

test('words of Japanese and English texts', () => {
  expect(wordsOf('Ｈｅｌｌｏ、猫が大好きです。')).toEqual(['hello', '猫', 'が', '大好き', 'です']);
  expect(wordsOf("It's 3.5 €")).toEqual(["it's", '3.5']);
});

test.for([
  ['猫が好きです', '猫が大好きです', 0.75],
  ['同意は要りません。', '同意は要りません', 1],
  ['', '', 1],
  ['', '猫', 0],
  ['the cat', 'a dog', 0],
] as const)('F1 of the words of 「%s」 and 「%s」', ([text, reference, score]) => {
  expect(wordF1(text, reference)).toBeCloseTo(score, 5);
});

test.for([bleu, rougeL, chrf])('a Japanese paraphrase scores above nothing', (metric) => {
  expect(metric('個人情報を守ります', '個人情報を保護します')).toBeGreaterThan(0.2);
  expect(metric('', '猫')).toBe(0);
});
