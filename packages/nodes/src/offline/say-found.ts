import { Judging } from './judging.ts';
import type { Passage } from './read-passages.ts';
import { isJapanese, note } from './said-by-stand-in.ts';

/**
 * What answers a question, and why it may be no answer.
 *
 * @param seen all that was found
 */
export function quoteFound(question: string, found: Passage, seen: readonly Passage[], judging: Judging): string {
  return `${quote(question, found, judging.doubt(question, question, found, seen))}\n${note(question)}`;
}

/** Each passage once, with the parts that it answers or is nearest to; then the parts that nothing was found for. */
export function quoteParts(
  question: string,
  parts: readonly string[],
  found: readonly (Passage | undefined)[],
  seen: readonly Passage[],
  judging: Judging,
): string {
  const answers = new Set(found.filter((one) => one !== undefined));
  const shown = parts.map((part, at) => found[at] ?? judging.nearest(part, seen));
  const quotes = [...answers].map((answer) => {
    const asked = parts.filter((_, at) => shown[at] === answer).join('\n');
    return quote(question, answer, judging.doubt(question, asked, answer, seen));
  });
  const missing = parts.filter((_, at) => shown[at] === undefined || !answers.has(shown[at]));
  return [...quotes, ...missing.map((part) => nothingFoundFor(part, question)), note(question)].join('\n');
}

/**
 * What a passage says, without the note that an answer ends with.
 *
 * @param doubt why it may be no answer, as a line; empty where there is none
 */
function quote(question: string, passage: Passage, doubt: string): string {
  const source = sourceOf(passage);
  const { text } = passage;
  if (isJapanese(question))
    return `${doubt}${source === '' ? '' : `「${source}」によると、`}次のとおりです。\n「${text}」`;
  return `${doubt}${source === '' ? 'The source says' : `According to "${source}"`}:\n"${text}"`;
}

/**
 * @param searched the hits of each search; of each the nearest is shown, so that a reader can judge it: by its title, since its
 *   id would look like a source of an answer, and sorted, since which search was asked first says nothing
 */
export function nothingFound(
  question: string,
  searched: readonly (readonly Passage[])[] = [],
  judging = new Judging(),
): string {
  const found = searched.map((hits) => judging.nearest(question, hits)).filter((one) => one !== undefined);
  const shown = [...new Set(found.map(shownInShort))].sort();
  const [told, nearest] = isJapanese(question)
    ? ['お尋ねの件に当たる記載は、検索した範囲では見つかりませんでした。', '語が最も近い記載：']
    : ['Nothing that answers the question was found in the sources that were searched.', 'Nearest by their words:'];
  return [told, ...(shown.length === 0 ? [] : [nearest, ...shown.map((one) => `- ${one}`)]), note(question)].join('\n');
}

/** How many letters of a passage are shown that is not quoted as an answer. */
const short = 300;

/** Its title and how it begins, in a line. */
function shownInShort({ id = '', title = id, text }: Passage): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  const beginning = line.length > short ? `${line.slice(0, short)}…` : line;
  const isQuestion = /[?？]$/u.test(title);
  return title === '' ? beginning : `${title}${isQuestion ? ' ' : isJapanese(line) ? '：' : ': '}${beginning}`;
}

function sourceOf({ id, title }: Passage): string {
  return [id, title].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Of a question with several parts: which of them nothing was found for. */
export function nothingFoundFor(part: string, question: string): string {
  return isJapanese(question) ? `「${part}」に当たる記載は見つかりませんでした。` : `Nothing was found for "${part}".`;
}
