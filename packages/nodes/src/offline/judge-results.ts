import { foldedText, wordsAsWritten } from './content-words.ts';
import { wordsLacking } from './doubt-of-passage.ts';
import { readWords, type TextWords } from './held-words.ts';
import { type Rated, rateResults } from './rate-results.ts';
import type { Passage } from './read-passages.ts';
import { saysNothing } from './word-weights.ts';

/** How far a passage must fit a question to count as its answer. */
const enough = 0.35;

/** How far it must fit to be named as the nearest where none answers. */
const worthALook = 0.25;

const none = readWords('');

/**
 * The passage that fits the question best, where it fits by nearly half or more; of equal ones the first, since
 * what a search puts first is the likeliest. It fits the more, the more it holds of what is asked for, and the more of its title
 * is asked for: an entry whose title goes on about something else is on something else. A word counts the more, the fewer of the
 * passages hold it: one that none of them holds counts most, so that a passage on something else is no answer. What stands
 * in the title counts more than what stands only in the text; a word of the same meaning a little less than the word itself.
 * A number that is asked for (how long, how much, how old) counts as a word.
 *
 * @param passages best first
 * @param subject the words of the instructions: what all passages are on
 */
export function judgeResults(question: string, passages: readonly Passage[], subject = none): Passage | undefined {
  const best = bestOf(rateResults(question, passages, subject));
  return best !== undefined && answers(best) ? best.passage : undefined;
}

/** How far it must fit that no better one is to be expected of another search. */
const settled = 0.52;

/** How far it must fit where it holds one word only of several. */
const enoughOfOne = 0.6;

/** Whether the passage that `judgeResults` finds fits so well that no better one is to be expected. */
export function isSettled(question: string, passages: readonly Passage[], subject = none): boolean {
  const best = bestOf(rateResults(question, passages, subject));
  return best !== undefined && answers(best) && best.fit >= settled;
}

/**
 * Of two words or more that are asked for, one alone is too little, unless the title is what is asked for, and of more than two
 * less than half; what only asks, or says little, is no word of its own.
 */
function answers({ fit, telling: { held, lacking } }: Rated): boolean {
  return fit >= enough && (lacking === 0 || fit >= enoughOfOne || (held > 1 && held >= lacking));
}

/** Of passages that do not answer the one that fits best; undefined where none holds enough to be worth a look. */
export function nearestOf(question: string, passages: readonly Passage[], subject = none): Passage | undefined {
  const best = bestOf(rateResults(question, passages, subject));
  return best !== undefined && best.fit >= worthALook && best.telling.held > 0 ? best.passage : undefined;
}

/** The passage that `judgeResults` finds, where it holds every word that is asked for, whole: it answers all parts of the question. */
export function judgeWhole(question: string, passages: readonly Passage[], subject = none): Passage | undefined {
  const best = bestOf(rateResults(question, passages, subject));
  return best !== undefined && answers(best) && best.isWhole ? best.passage : undefined;
}

/**
 * What `judgeResults` finds and why, in a sentence: which hit was taken or why none was, how much it holds of what is asked for,
 * and which words; those that it lacks are those that `doubtOfPassage` tells of.
 */
export function explainJudgement(question: string, passages: readonly Passage[], subject: TextWords = none): string {
  const rated = rateResults(question, passages, subject);
  const best = bestOf(rated);
  const asked = `"${question}"`;
  if (best === undefined) return `${asked}: no hit of ${passages.length} holds a word that is asked for`;
  const others = rated.filter((one) => one !== best).map(({ fit }) => fit);
  const next = others.length === 0 ? '' : `; the next best ${percent(Math.max(...others))}`;
  const written = wordsAsWritten(question);
  const unmentioned = wordsLacking(
    question,
    `${best.passage.title ?? ''} ${best.passage.text}`,
    saysNothing(subject, best.passage, passages),
  );
  const isMentioned = (word: string): boolean => !unmentioned.some((one) => foldedText(one) === word);
  const mentioned = best.held.map((word) => written.get(word) ?? word).filter(isMentioned);
  const held = mentioned.length === 0 ? '' : ` (${mentioned.join(', ')})`;
  const lacking = unmentioned.length === 0 ? '' : `; not ${unmentioned.join(', ')}`;
  const bound = best.fit >= enough && !answers(best) ? tooLittle(best) : `${percent(enough)} is enough`;
  const verdict = answers(best) ? 'took' : 'took no hit, the best is';
  return `${asked}: ${verdict} ${nameOf(best.passage)}, which fits by ${percent(best.fit)}: holds ${percent(best.share)} of what is asked for${held}${lacking}${next}; ${bound}`;
}

function tooLittle({ telling }: Rated): string {
  return telling.held > 1 ? 'less than half of the words is too little' : 'one word alone is too little';
}

function nameOf({ id, title, text }: Passage): string {
  return id ?? title ?? `"${text.slice(0, 30)}"`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function bestOf(rated: readonly Rated[]): Rated | undefined {
  const answering = rated.filter(answers);
  return (answering.length === 0 ? rated : answering).reduce<Rated | undefined>(
    (top, next) => (next.rank > (top?.rank ?? 0) + 1e-9 ? next : top),
    undefined,
  );
}
