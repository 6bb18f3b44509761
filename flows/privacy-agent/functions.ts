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

/** The best entries as the model reads them, in the language of the query: `[id] title`, then the text. */
function search(file: string, query: string): string {
  const hits = openIndex(new URL(file, import.meta.url)).search(query, { topK: 3 });
  if (hits.length === 0) return '該当する項目はありません。 (No entry matches.)';
  const entries = hits.map(({ id, title, text, fields }) =>
    japanese.test(query) ? `[${id}] ${title}\n${text}` : `[${id}] ${fields['title_en']}\n${fields['text_en']}`,
  );
  return entries.join('\n\n');
}

const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
