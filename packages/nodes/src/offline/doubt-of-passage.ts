import { asksNumber, asksWhether, asksWhom, tellsNumber } from './asked-number.ts';
import { meaningfulWords, wordsAsWritten } from './content-words.ts';
import { asking, asksMeaning, holdingOf, readWords, shareHeld, shareWritten } from './held-words.ts';
import { isLight } from './light-words.ts';
import type { Passage } from './read-passages.ts';
import { isJapanese } from './said-by-stand-in.ts';

/**
 * Why a passage that is quoted may be no answer, as a line to put before it: words of the question that it does not hold, a
 * number that it does not tell, or that its title is on something else. Empty where there is no such doubt: only then is a
 * quotation an answer.
 *
 * @param asked the part of the question that the passage was taken for
 */
export function doubtOfPassage(question: string, asked: string, passage: Passage): string {
  const { unmentioned, isWithoutNumber, isInPassing } = doubtsAbout(asked, passage);
  const [nearest, words, number, passing] = isJapanese(question)
    ? [
        '最も近い記載です。',
        `${unmentioned.map((word) => `「${word}」`).join('')}には触れていません。`,
        'お尋ねの数は書かれていません。',
        'お尋ねの語は、その中で触れられているだけです。',
      ]
    : [
        'This is the nearest that was found; ',
        `it does not mention ${unmentioned.map((word) => `"${word}"`).join(', ')}.`,
        'it does not tell the number that is asked for.',
        'it mentions what is asked for only in passing.',
      ];
  if (unmentioned.length > 0) return `${nearest}${words}\n`;
  if (isWithoutNumber) return `${nearest}${number}\n`;
  return isInPassing ? `${nearest}${passing}\n` : '';
}

interface Doubts {
  readonly unmentioned: readonly string[];
  readonly isWithoutNumber: boolean;
  readonly isInPassing: boolean;
}

function doubtsAbout(asked: string, { title = '', text }: Passage): Doubts {
  return {
    unmentioned: wordsLacking(asked, `${title} ${text}`),
    isWithoutNumber: !tellsNumber(asked, `${title} ${text}`),
    isInPassing: title !== '' && isOnSomethingElse(title, asked),
  };
}

/**
 * Whether a title holds no word that is asked for, or less than half of them while less than half of it is asked for, or asks the
 * same of something else. What something is answers no other question on it, and how long something takes not whether it must be,
 * nor who must be told.
 */
function isOnSomethingElse(title: string, asked: string): boolean {
  const count = wordsNotIn(asked, '').length;
  if (count > 0 && wordsLacking(asked, title).length === count) return true;
  const asksOther = !asksNumber(asked) && (asksWhether(asked) || asksWhom(asked));
  if (asksNumber(title) && asksOther && !tellsNumber(title, asked)) return true;
  if (beginsOtherwise(title, asked) && saysMore(asked, title)) return true;
  const isAskedFor = shareOfWords(title, asked) > 0.5 && (!asksMeaning(title) || asksMeaning(asked));
  return !isAskedFor && shareOfWords(asked, title) < 0.5;
}

/** Whether a text holds a word of meaning that another lacks. */
function saysMore(text: string, other: string): boolean {
  const held = readWords(other);
  return namingWords(text).some((word) => shareHeld(held, word) < mentioned);
}

/** Words that name something: not such as any question may hold, and no lone character with its ending. */
function namingWords(text: string): readonly string[] {
  const words = [...meaningfulWords(text)];
  return words.filter(
    (word) => !asking.has(word) && !isLight(word) && !/^\p{Script=Han}\p{Script=Hiragana}*$/u.test(word),
  );
}

/** Whether a text begins with words that another lacks and goes on with those that both have: "Is a company name …", "Is an address …". */
function beginsOtherwise(text: string, other: string): boolean {
  const held = readWords(other);
  const lacks = namingWords(text).map((word) => shareHeld(held, word) < mentioned);
  const at = lacks.indexOf(false);
  return at > 0 && !lacks.slice(at).includes(true);
}

/** Of the words of a text what share another holds of them. */
function shareOfWords(text: string, other: string): number {
  const words = [...meaningfulWords(text)].filter((word) => !asking.has(word) && !isLight(word));
  const [held, holds] = [readWords(other), holdingOf(text, words)];
  return words.length === 0 ? 1 : words.reduce((sum, word) => sum + holds(held, word), 0) / words.length;
}

/** Of a compound two of three pairs of letters are enough: 顧客の情報 for 顧客情報. */
const mentioned = 0.65;

/** The words of a question, as it writes them, that a text does not mention. One in other words is mentioned, where another is as it stands. */
export function wordsLacking(question: string, text: string): readonly string[] {
  const lacking = wordsNotIn(question, text, shareWritten);
  return lacking.length === wordsNotIn(question, '').length ? lacking : wordsNotIn(question, text);
}

function wordsNotIn(question: string, text: string, share = shareHeld): readonly string[] {
  const held = readWords(text);
  const asked = question.normalize('NFKC');
  return [...wordsAsWritten(question)]
    .filter(([word]) => !asking.has(word) && !isLight(word) && share(held, word) < mentioned)
    .map(([, written]) => new RegExp(written, 'iu').exec(asked)?.[0] ?? written);
}
