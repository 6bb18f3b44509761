import { asksAmount, asksNumber, asksWhether, asksWhom, tellsNumber } from './asked-number.ts';
import { meaningfulWords, wordsAsWritten } from './content-words.ts';
import { asking, asksMeaning, holdingOf, readWords, shareHeld, shareWritten } from './held-words.ts';
import { isLight } from './light-words.ts';
import { asEachIsAsked, type Passage } from './read-passages.ts';
import { isJapanese } from './said-by-stand-in.ts';

/**
 * Why a passage that is quoted may be no answer, as a line to put before it: words of the question that it does not hold, a
 * number that it does not tell, or that its title is on something else. Empty where there is no such doubt under one of the
 * questions that it answers: only then is a quotation an answer.
 *
 * @param asked the part of the question that the passage was taken for
 * @param saysNothing whether it says nothing of a passage that it lacks a word
 */
export function doubtOfPassage(
  question: string,
  asked: string,
  passage: Passage,
  saysNothing: Words = isLight,
): string {
  const all = asEachIsAsked(passage).map((one) => doubtsAbout(asked, one, saysNothing));
  const least = all.reduce((before, next) => (isLess(next, before) ? next : before));
  const { unmentioned, isWithoutNumber, isOnNumber } = least;
  // What is quoted shows its own title alone: the case of another question that it answers is none that a reader sees.
  const onlyCase = least === all[0] ? least.onlyCase : undefined;
  const isInPassing = least.isInPassing || least.onlyCase !== onlyCase;
  const [nearest, words, number, other, one, passing] = isJapanese(question)
    ? [
        '最も近い記載です。',
        `${unmentioned.map((word) => `「${word}」`).join('')}には触れていません。`,
        'お尋ねの数は書かれていません。',
        'お尋ねでない期間などの記載です。',
        `「${onlyCase}」についての記載です。`,
        'お尋ねの語は、その中で触れられているだけです。',
      ]
    : [
        'This is the nearest that was found; ',
        `it does not mention ${unmentioned.map((word) => `"${word}"`).join(', ')}.`,
        'it does not tell the number that is asked for.',
        'it is on how long, which is not what is asked for.',
        `it is on one case only: "${onlyCase}".`,
        'it mentions what is asked for only in passing.',
      ];
  if (unmentioned.length > 0) return `${nearest}${words}\n`;
  if (isWithoutNumber) return `${nearest}${number}\n`;
  if (isOnNumber) return `${nearest}${other}\n`;
  if (onlyCase !== undefined) return `${nearest}${one}\n`;
  return isInPassing ? `${nearest}${passing}\n` : '';
}

type Words = (word: string) => boolean;

interface Doubts {
  readonly unmentioned: readonly string[];
  readonly isWithoutNumber: boolean;
  readonly isOnNumber: boolean;
  readonly onlyCase: string | undefined;
  readonly isInPassing: boolean;
}

function isLess(one: Doubts, other: Doubts): boolean {
  return !isNoDoubt(other) && (isNoDoubt(one) || one.unmentioned.length < other.unmentioned.length);
}

function isNoDoubt({ unmentioned, isWithoutNumber, isOnNumber, onlyCase, isInPassing }: Doubts): boolean {
  return unmentioned.length === 0 && !isWithoutNumber && !isOnNumber && onlyCase === undefined && !isInPassing;
}

function doubtsAbout(asked: string, { title = '', text }: Passage, saysNothing: Words): Doubts {
  const little = wordsNotIn(asked, '', saysNothing).length === 0 ? isLight : saysNothing;
  return {
    unmentioned: wordsLacking(asked, `${title} ${text}`, saysNothing),
    isWithoutNumber: !tellsNumber(asked, `${title} ${text}`),
    isOnNumber: isOnNumber(title, asked),
    onlyCase: caseNotAsked(title, asked, little),
    isInPassing: title !== '' && [title, lastHeading(title)].every((one) => isOnSomethingElse(one, asked, little)),
  };
}

/** Of a title with the headings above it, as a document has them in an index: `Manual of the cleaner > When the light is on`. */
function lastHeading(title: string): string {
  return title.split(' > ').at(-1) ?? title;
}

/** How long something takes answers not whether it must be, nor who must be told; how much is paid answers whether it is. */
function isOnNumber(title: string, asked: string): boolean {
  const asksOther = asksWhom(asked) || (asksWhether(asked) && !asksAmount(title));
  return asksNumber(title) && !asksNumber(asked) && asksOther && !tellsNumber(title, asked);
}

/** The case that a title is on (合併で引き継ぐとき; when data passes in a merger), where the question is not on it, nor on one of those it names. */
function caseNotAsked(title: string, asked: string, saysNothing: Words): string | undefined {
  const [one] = /^.+?(?:とき|場合|たら)|(?<=\S )(?:when|if)\b(?! \w+ing\b)[^?]+/iu.exec(title) ?? [];
  const isNarrower = one?.split(/や|、|\bor\b|,/u).every((part) => saysMore(part, asked, saysNothing));
  return isNarrower === true ? one : undefined;
}

/**
 * Whether a title holds no word that is asked for, or less than half of them while less than half of it is asked for, or asks the
 * same of something else. What something is answers no other question on it, and is answered by what begins with it.
 */
function isOnSomethingElse(title: string, asked: string, saysNothing: Words): boolean {
  const count = wordsNotIn(asked, '', saysNothing).length;
  if (count > 0 && wordsLacking(asked, title, saysNothing).length === count) return true;
  if (asksMeaning(asked) && !asksMeaning(title) && beginsWithOther(title, asked, saysNothing)) return true;
  if (beginsOtherwise(title, asked, saysNothing) && saysMore(asked, title, saysNothing)) return true;
  const isAskedFor = shareOfWords(title, asked, saysNothing) > 0.5 && (!asksMeaning(title) || asksMeaning(asked));
  return !isAskedFor && shareOfWords(asked, title, saysNothing) < 0.5;
}

/** Whether a text holds a word of meaning that another lacks. */
function saysMore(text: string, other: string, saysNothing: Words): boolean {
  const held = readWords(other);
  return namingWords(text, saysNothing).some((word) => shareHeld(held, word) < mentioned);
}

/** Words that name something: not such as any question may hold, and no lone character with its ending. */
function namingWords(text: string, saysNothing: Words): readonly string[] {
  const words = [...meaningfulWords(text)];
  return words.filter(
    (word) => !asking.has(word) && !saysNothing(word) && !/^\p{Script=Han}\p{Script=Hiragana}*$/u.test(word),
  );
}

/** Whether the first word of a text that names something is none that another has. */
function beginsWithOther(text: string, other: string, saysNothing: Words): boolean {
  const [first] = namingWords(text, saysNothing);
  return first !== undefined && shareHeld(readWords(other), first) < mentioned;
}

/** Whether a text begins with words that another lacks and goes on with those that both have: "Is a company name …", "Is an address …". */
function beginsOtherwise(text: string, other: string, saysNothing: Words): boolean {
  const held = readWords(other);
  const lacks = namingWords(text, saysNothing).map((word) => shareHeld(held, word) < mentioned);
  const at = lacks.indexOf(false);
  return at > 0 && !lacks.slice(at).includes(true);
}

/** Of the words of a text what share another holds of them. */
function shareOfWords(text: string, other: string, saysNothing: Words): number {
  const words = [...meaningfulWords(text)].filter((word) => !asking.has(word) && !saysNothing(word));
  const [held, holds] = [readWords(other), holdingOf(text, words)];
  const shares = words.map((word) => holds(held, word)).map((share) => (share < mentioned ? share : 1));
  return words.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / words.length;
}

/** Of a compound two of three pairs of letters are enough: 顧客の情報 for 顧客情報. */
const mentioned = 0.65;

/** The words of a question, as it writes them, that a text does not mention. One in other words is mentioned, where another is as it stands. */
export function wordsLacking(question: string, text: string, saysNothing: Words): readonly string[] {
  const all = wordsNotIn(question, '', isLight).length;
  const isAllInOtherWords = wordsNotIn(question, text, isLight, shareWritten).length === all;
  return wordsNotIn(question, text, saysNothing, isAllInOtherWords ? shareWritten : shareHeld);
}

function wordsNotIn(question: string, text: string, saysNothing: Words, share = shareHeld): readonly string[] {
  const held = readWords(text);
  const asked = question.normalize('NFKC');
  return [...wordsAsWritten(question)]
    .filter(([word]) => !asking.has(word) && !saysNothing(word) && share(held, word) < mentioned)
    .map(([, written]) => new RegExp(written, 'iu').exec(asked)?.[0] ?? written);
}
