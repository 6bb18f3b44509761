import { asksNumber, tellsNumber } from './asked-number.ts';
import { foldedText, meaningfulWords, wordsAsWritten } from './content-words.ts';
import { asking, asksMeaning, readWords, shareHeld, type TextWords } from './held-words.ts';

/** A stretch of text that may answer a question. */
export interface Passage {
  readonly id?: string;
  readonly title?: string;
  readonly text: string;
}

/** Share of what the question asks for, by weight, that a passage must hold to count as its answer. */
const enough = 0.5;

/** What a passage must hold of it to be named as the nearest where none answers. */
const worthALook = 0.25;

/**
 * The passage that holds most of what the question asks for, where that is half of it or more; of equal ones the first, since
 * what a search puts first is the likeliest. A word counts the more, the fewer of the passages hold it: one that none of
 * them holds counts most, so that a passage on something else is no answer. What stands in the title counts more than
 * what stands only in the text; a word of the same meaning a little less than the word itself. A number that is asked for
 * (how long, how much, how old) counts as a word.
 *
 * @param passages best first
 */
export function judgeResults(question: string, passages: readonly Passage[]): Passage | undefined {
  const best = bestOf(rateResults(question, passages));
  return best !== undefined && answers(best) ? best.passage : undefined;
}

/** Of two words or more that are asked for, one alone is too little, however much it weighs; what only asks is no word of its own. */
function answers({ share, held, lacking }: Rated): boolean {
  return share >= enough && (held.length > 1 || lacking.every((word) => asking.has(word)));
}

/** Of passages that do not answer the one that holds most of what is asked for; undefined where none holds enough to be worth a look. */
export function nearestOf(question: string, passages: readonly Passage[]): Passage | undefined {
  const best = bestOf(rateResults(question, passages));
  return best !== undefined && best.share >= worthALook && best.held.some((word) => !asking.has(word))
    ? best.passage
    : undefined;
}

/** The passage that `judgeResults` finds, where it holds every word that is asked for, whole: it answers all parts of the question. */
export function judgeWhole(question: string, passages: readonly Passage[]): Passage | undefined {
  const best = bestOf(rateResults(question, passages));
  return best !== undefined && answers(best) && best.isWhole ? best.passage : undefined;
}

/**
 * What `judgeResults` finds and why, in a sentence: which hit was taken or why none was, how much it holds of what is asked for,
 * and which words.
 */
export function explainJudgement(question: string, passages: readonly Passage[]): string {
  const rated = rateResults(question, passages);
  const best = bestOf(rated);
  const asked = `"${question}"`;
  if (best === undefined) return `${asked}: no hit of ${passages.length} holds a word that is asked for`;
  const others = rated.filter((one) => one !== best).map(({ share }) => share);
  const next = others.length === 0 ? '' : `; the next best ${percent(Math.max(...others))}`;
  const written = wordsAsWritten(question);
  const listed = (words: readonly string[]): string => words.map((word) => written.get(word) ?? word).join(', ');
  const held = best.held.length === 0 ? '' : ` (${listed(best.held)})`;
  const lacking = best.lacking.length === 0 ? '' : `; not ${listed(best.lacking)}`;
  const bound =
    best.share >= enough && !answers(best) ? 'one word alone is too little' : `${percent(enough)} is enough`;
  const verdict = answers(best) ? 'took' : 'took no hit, the best is';
  return `${asked}: ${verdict} ${nameOf(best.passage)}: holds ${percent(best.share)} of what is asked for${held}${lacking}${next}; ${bound}`;
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

/** Of each passage the share of what the question asks for that it holds, 0 to 1. */
function rateResults(question: string, passages: readonly Passage[]): readonly Rated[] {
  const wanted = [...meaningfulWords(question)];
  const short = abbreviationsIn(question);
  const asked = foldedText(question);
  const heads = new Set(wanted.filter((word) => isHeadOfOthers(asked, word)));
  const holds = (text: TextWords, word: string): number =>
    !heads.has(word) && isHeadOfOthers(text.letters, word) ? 0.5 : shareHeld(text, word);
  const texts = passages.map(({ title = '', text }) => readWords(`${title} ${text}`));
  const weights = wanted.map(
    (word) =>
      (short.has(word) ? 2 : weightOf(word)) *
      rarity(texts.filter((text) => holds(text, word) > 0).length, texts.length),
  );
  const tells = (one: Passage): boolean => tellsNumber(question, `${one.title ?? ''} ${one.text}`);
  const ofNumber = asksNumber(question) ? rarity(passages.filter(tells).length, passages.length) : 0;
  const total = weights.reduce((sum, weight) => sum + weight, ofNumber);
  return passages.map((passage) => {
    const [title, text] = [readWords(passage.title ?? ''), readWords(passage.text)];
    const credits = wanted.map((word) => Math.max(holds(title, word), inText * holds(text, word)));
    const number = tells(passage) ? ofNumber : 0;
    const got = credits.reduce((sum, credit, at) => sum + credit * (weights[at] ?? 0), number);
    const inTitle = wanted.reduce((sum, word, at) => sum + holds(title, word) * (weights[at] ?? 0), 0);
    const held = wanted.filter((_, at) => (credits[at] ?? 0) > 0);
    const lacking = wanted.filter((_, at) => (credits[at] ?? 0) === 0);
    const isWhole = wanted.every((word) => Math.max(holds(title, word), holds(text, word)) === 1);
    const defines = [question, passage.title ?? ''].every((one) => asksMeaning(one)) ? total : 0;
    const rank = got + (inTitle + defines) / 10;
    return { passage, isWhole, share: total === 0 ? 0 : got / total, rank, held, lacking };
  });
}

interface Rated {
  readonly passage: Passage;
  /** Whether it holds every word that is asked for, none of them in part. */
  readonly isWhole: boolean;
  readonly share: number;
  /** What the passages are compared by: of nearly equal ones the one that is titled as asked. */
  readonly rank: number;
  /** Words that are asked for, by whether the passage has at least a part of them. */
  readonly held: readonly string[];
  readonly lacking: readonly string[];
}

/** What a word is worth that stands in the text and not in the title. */
const inText = 0.8;

/** Capitals alone (IP, VAT) name one thing, and no other words say it. */
function abbreviationsIn(question: string): ReadonlySet<string> {
  return meaningfulWords((question.match(/\b\p{Lu}{2,}\b/gu) ?? []).join(' '));
}

/** A lone character says little, a verb with one (取り, 渡す) less than a noun, and a word from abroad names a thing. */
function weightOf(word: string): number {
  if (/^\p{Script=Katakana}[\p{Script=Katakana}ー]{2,}$/u.test(word)) return 1.5;
  const characters = word.match(/\p{Script=Han}/gu)?.length ?? 0;
  if (characters !== 1) return 1;
  return word.length === 1 ? 0.2 : 0.5;
}

/** 1 for a word in none of the passages or in one, less for one in more of them. */
function rarity(count: number, of: number): number {
  return count === 0 ? 1 : Math.log(1 + of / count) / Math.log(1 + of);
}

/** Whether a word of Chinese characters stands in a text, and only as the head of one that goes on in letters for words from abroad. */
function isHeadOfOthers(letters: string, word: string): boolean {
  const following = letters.split(word).slice(1);
  return (
    /\p{Script=Han}$/u.test(word) &&
    following.length > 0 &&
    following.every((after) => /^\p{Script=Katakana}/u.test(after))
  );
}

/** Reads hits: a JSON list of `{id, title, text}`, or blocks of text headed `[id] title`. */
export function readPassages(content: string): readonly Passage[] {
  const trimmed = content.trim();
  if (trimmed === '') return [];
  const listed = readJsonPassages(trimmed);
  if (listed !== undefined) return listed;
  return trimmed.split(/\n\s*\n|\n(?=\[[^\]\n]+\])/).map(readBlock);
}

function readBlock(block: string): Passage {
  const [, id, title = '', text = ''] = /^\[([^\]\n]+)\][ \t]*([^\n]*)\n([\s\S]*)$/.exec(block.trim()) ?? [];
  return id === undefined ? { text: block.trim() } : { id, title: title.trim(), text: text.trim() };
}

function readJsonPassages(text: string): readonly Passage[] | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : [value];
    return list.flatMap((one: unknown) => {
      if (typeof one === 'string') return [{ text: one }];
      const {
        id,
        title,
        text: body,
      } = (one ?? {}) as { readonly id?: unknown; readonly title?: unknown; readonly text?: unknown };
      if (typeof body !== 'string') return [];
      return [
        { ...(typeof id === 'string' ? { id } : {}), ...(typeof title === 'string' ? { title } : {}), text: body },
      ];
    });
  } catch {
    return undefined;
  }
}
