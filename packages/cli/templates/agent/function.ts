import { readFileSync } from 'node:fs';

/** What travels along the pairs of the loop. */
interface State {
  readonly finished: boolean;
  readonly query?: string;
  readonly function_results?: readonly object[];
  readonly content?: string | null;
}

/** What the agent said; null when it was bypassed because the state is finished. */
interface Message {
  readonly content?: string | null;
  readonly tool_calls?: readonly ToolCall[] | null;
}

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The functions the agent may call, as flow.dag.yaml offers them. Yours go here. */
const functions: Readonly<Record<string, (given: { readonly query: string }) => string>> = {
  search_notes: ({ query }) => search('notes.md', query),
  search_terms: ({ query }) => search('terms.md', query),
};

/** One step of the loop: hands an answer on, or makes the calls that the agent asked for. */
export function step({ state, message }: { readonly state: State; readonly message: Message | null }): State {
  if (message === null) return { finished: true, content: state.content ?? null };
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) return { finished: true, content: message.content ?? '' };
  return { ...state, function_results: [...(state.function_results ?? []), ...calls.map(made)] };
}

function made({ id, function: { name, arguments: text } }: ToolCall) {
  const run = functions[name];
  if (run === undefined) throw new Error(`there is no function ${name}`);
  const given = JSON.parse(text);
  return { id, name, arguments: given, content: [run(given)] };
}

/** The two sections of a Markdown file that share most words with the query. */
function search(file: string, query: string): string {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const wanted = wordsOf(query);
  const found = text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      section: section.trim().replace(/\n+/, '\n'),
      score: [...wordsOf(section)].filter((word) => wanted.has(word)).length,
    }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
  if (found.length === 0)
    return /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u.test(query) ? '該当する項目はありません。' : 'No entry matches.';
  return found
    .slice(0, 2)
    .map(({ section }) => `[${file}] ${section}`)
    .join('\n\n');
}

const commonWords = new Set(
  'a an and are can do does for how i if in is it my of on or that the to what when will you your'.split(' '),
);

/** Also those of Japanese, which stand without spaces between them; its particles and endings, written in hiragana alone, say nothing. */
const words = new Intl.Segmenter('ja', { granularity: 'word' });

function wordsOf(text: string): ReadonlySet<string> {
  const found = [...words.segment(text.normalize('NFKC').toLowerCase())].filter(({ isWordLike }) => isWordLike);
  return new Set(
    found
      .map(({ segment }) => segment)
      .filter((word) => !commonWords.has(word) && !/^\p{Script=Hiragana}+$/u.test(word)),
  );
}
