import { type DeclaredFunction, functionNode } from '@unroll/nodes/functions';
import { openIndex } from '@unroll/nodes/lookup';

/** Runs the search that the model asked for, or hands its answer on. */
export default functionNode({
  faq_search: searchOf('knowledge/faq.jsonl'),
  guideline_search: searchOf('knowledge/guideline.jsonl'),
});

function searchOf(file: string): DeclaredFunction {
  const run = ({ query }: { readonly query: string }) => search(file, query);
  return { run, parameters: { query: 'string' } };
}

/** The best entries as the model reads them, in the language of the query: `[id] title`, the text, and what else is asked so. */
function search(file: string, query: string): string {
  const hits = openIndex(new URL(file, import.meta.url)).search(query, { topK: 3 });
  if (hits.length === 0) return '該当する項目はありません。 (No entry matches.)';
  const entries = hits.map(({ id, title, text, fields }) =>
    japanese.test(query)
      ? `[${id}] ${title}\n${text}\n別の尋ね方: ${joined(fields['asked'])}`
      : `[${id}] ${fields['title_en']}\n${fields['text_en']}\nAlso asked: ${joined(fields['asked_en'])}`,
  );
  return entries.join('\n\n');
}

function joined(asked: unknown): string {
  return Array.isArray(asked) ? asked.join(' / ') : '';
}

const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
