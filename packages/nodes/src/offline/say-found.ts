import { doubtOfPassage } from './doubt-of-passage.ts';
import { Judging } from './judging.ts';
import type { Passage } from './read-passages.ts';
import { isJapanese, note } from './said-by-stand-in.ts';

/** @param asked the parts of the question that it answers */
export function quote(question: string, passage: Passage, asked = question): string {
  const source = sourceOf(passage);
  const { text } = passage;
  const doubt = doubtOfPassage(question, asked, passage);
  if (isJapanese(question))
    return `${doubt}${source === '' ? '' : `「${source}」によると、`}次のとおりです。\n「${text}」\n${note(question)}`;
  return `${doubt}${source === '' ? 'The source says' : `According to "${source}"`}:\n"${text}"\n${note(question)}`;
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
