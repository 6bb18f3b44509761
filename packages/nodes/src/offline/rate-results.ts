import { askAlike, asksNumber, tellsNumber } from './asked-number.ts';
import { meaningfulWords } from './content-words.ts';
import { asking, asksMeaning, holdingOf, readWords, shareHeld, type TextWords } from './held-words.ts';
import { asEachIsAsked, type Passage } from './read-passages.ts';
import { tellsLittle, weightsFor } from './word-weights.ts';

/** A passage with how far it answers a question. */
export interface Rated {
  readonly passage: Passage;
  /** Whether it holds every word that is asked for, none of them in part. */
  readonly isWhole: boolean;
  /** Of what the question asks for what the passage holds, and of what its title says what is asked for: 0 to 1. */
  readonly fit: number;
  /** The first of the two. */
  readonly share: number;
  /** What the passages are compared by: of those that fit alike the one whose title asks the same (what it is, how long, who), or nothing else. */
  readonly rank: number;
  /** How many words it holds of those that say much, and how many it lacks. What only asks is none of them. */
  readonly telling: { readonly held: number; readonly lacking: number };
  /** Words that are asked for, by whether the passage has at least a part of them. */
  readonly held: readonly string[];
  readonly lacking: readonly string[];
}

/** What a word is worth that stands in the text and not in the title. */
const inText = 0.8;

/** What counts that the title is asked for, beside that the passage holds what is. */
const ofTitle = 0.5;

/** Beyond its words a title says half a one more: one word that is asked for is less than three that are. */
const halfAWord = 0.5;

/**
 * Each passage under that question of those it answers under which it fits best.
 *
 * @param subject the words of the instructions: what all passages are on
 */
export function rateResults(question: string, passages: readonly Passage[], subject: TextWords): readonly Rated[] {
  const wanted = [...meaningfulWords(question)];
  const weightOf = weightsFor(question, subject);
  const holds = holdingOf(question, wanted);
  const texts = passages.map(({ title = '', text, asked = [] }) => readWords([title, text, ...asked].join(' ')));
  const weights = wanted.map(
    (word) => weightOf(word) * rarity(texts.filter((text) => holds(text, word) > 0).length, texts.length),
  );
  const tells = (one: Passage): boolean => tellsNumber(question, `${one.title ?? ''} ${one.text}`);
  const ofNumber = asksNumber(question) ? rarity(passages.filter(tells).length, passages.length) : 0;
  const total = weights.reduce((sum, weight) => sum + weight, ofNumber);
  const asked = readWords(question);
  const saysMuch = (word: string): boolean => !asking.has(word) && !tellsLittle(word, subject);
  const rate = (passage: Passage): Rated => {
    const [title, text] = [readWords(passage.title ?? ''), readWords(passage.text)];
    const credits = wanted.map((word) => Math.max(holds(title, word), inText * holds(text, word)));
    const got = credits.reduce((sum, credit, at) => sum + credit * (weights[at] ?? 0), tells(passage) ? ofNumber : 0);
    const share = total === 0 ? 0 : got / total;
    const titled = shareOfTitle(passage, asked, weightOf);
    const fit = titled === undefined ? share : (1 - ofTitle) * share + ofTitle * titled;
    const held = wanted.filter((_, at) => (credits[at] ?? 0) > 0);
    const lacking = wanted.filter((_, at) => (credits[at] ?? 0) === 0);
    return {
      passage,
      isWhole: wanted.every((word) => Math.max(holds(title, word), holds(text, word)) === 1),
      fit,
      share,
      rank: fit + extraOfTitle(question, passage.title ?? '', titled ?? 0, saysMuch),
      telling: { held: held.filter(saysMuch).length, lacking: lacking.filter(saysMuch).length },
      held,
      lacking,
    };
  };
  return passages.map((passage) => {
    const [first, ...others] = asEachIsAsked(passage).map(rate) as [Rated, ...Rated[]];
    return { ...others.reduce((best, next) => (next.rank > best.rank ? next : best), first), passage };
  });
}

/** Of entries that fit alike comes first what asks the same, then what says nothing in its title that is not asked for. */
function extraOfTitle(question: string, title: string, titled: number, saysMuch: (word: string) => boolean): number {
  const asked = readWords(question);
  const words = [...meaningfulWords(title)].filter(saysMuch);
  const isAskedWhole = words.length > 1 && words.every((word) => shareHeld(asked, word) > 0.65);
  return (titled > 0.5 && asksTheSame(question, title) ? 0.1 : 0) + (isAskedWhole ? 0.05 : 0);
}

/** What something is, how long it takes, how much, or who it is: asked by a question and by a title. */
function asksTheSame(question: string, title: string): boolean {
  return [question, title].every((one) => asksMeaning(one)) || askAlike(question, title);
}

/**
 * Of the words of a title, by weight, what is asked for. Undefined where there is no title, or nothing but one; a heading of one
 * other word (Delivery) says nothing.
 */
function shareOfTitle(
  { title = '', text }: Passage,
  asked: TextWords,
  weightOf: (word: string) => number,
): number | undefined {
  if (text === '') return undefined;
  const words = [...meaningfulWords(title)].filter((word) => !asking.has(word));
  const total = words.reduce((sum, word) => sum + weightOf(word), halfAWord);
  if (words.length === 0) return undefined;
  const held = words.reduce((sum, word) => sum + shareHeld(asked, word) * weightOf(word), 0);
  return held === 0 && words.length === 1 ? undefined : held / total;
}

/** 1 for a word in none of the passages or in one, less for one in more of them. */
function rarity(count: number, of: number): number {
  return count === 0 ? 1 : Math.log(1 + of / count) / Math.log(1 + of);
}
