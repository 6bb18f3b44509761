import { wordsAsWritten } from './content-words.ts';
import { asking, readWords, shareHeld } from './held-words.ts';
import type { Passage } from './judge-results.ts';
import { isJapanese } from './said-by-stand-in.ts';

/**
 * Why a passage that is quoted may be no answer, as a line to put before it: words of the question that it does not hold, or
 * that none of them stands in its title. Empty where there is no such doubt: only then is a quotation an answer.
 *
 * @param asked the part of the question that the passage was taken for
 */
export function doubtOfPassage(question: string, asked: string, { title = '', text }: Passage): string {
  const unmentioned = wordsLacking(asked, `${title} ${text}`);
  const [nearest, words, passing] = isJapanese(question)
    ? [
        '最も近い記載です。',
        `${unmentioned.map((word) => `「${word}」`).join('')}には触れていません。`,
        'お尋ねの語は、その中で触れられているだけです。',
      ]
    : [
        'This is the nearest that was found; ',
        `it does not mention ${unmentioned.map((word) => `"${word}"`).join(', ')}.`,
        'it mentions what is asked for only in passing.',
      ];
  if (unmentioned.length > 0) return `${nearest}${words}\n`;
  const isInPassing = title !== '' && wordsLacking(asked, title).length === wordsLacking(asked, '').length;
  return isInPassing ? `${nearest}${passing}\n` : '';
}

/** Of a compound two of three pairs of letters are enough: 顧客の情報 for 顧客情報. */
const mentioned = 0.65;

/** The words of a question, as it writes them, that a text does not mention. */
function wordsLacking(question: string, text: string): readonly string[] {
  const held = readWords(text);
  const asked = question.normalize('NFKC');
  return [...wordsAsWritten(question)]
    .filter(([word]) => !asking.has(word) && shareHeld(held, word) < mentioned)
    .map(([, written]) => new RegExp(written, 'iu').exec(asked)?.[0] ?? written);
}
