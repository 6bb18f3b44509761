import { fileURLToPath } from 'node:url';
import { openTextEmbedder } from '@unroll/nodes/embedders';
import { openCatalogue } from '@unroll/nodes/tool-catalogue';
import {
  atomicToken,
  decodeBeams,
  decodeGreedy,
  decodeUnconstrained,
  functionNameOf,
  hierarchicalPaths,
  numericToken,
  numericWidth,
  TokenTrie,
} from '@unroll/nodes/toolgen';

// The four ways ToolGen writes a tool as tokens, and how a model is held to those there are: node tokens.ts
const { catalogue } = openCatalogue(fileURLToPath(new URL('apis.jsonl', import.meta.url)), 'apis.jsonl');
const { tools } = catalogue;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const names = tools.map(({ group, own }) => functionNameOf(group, own));

// Hierarchical: tools of like meaning are put into up to ten groups, again and again.
const offline = { name: 'offline', type: 'offline', configs: {}, secrets: {} };
const clock = { now: () => Date.now(), sleep: async () => undefined };
const embedder = await openTextEmbedder(offline, undefined, { openService: async () => undefined, clock });
if (typeof embedder === 'string') throw new Error(embedder);
const texts = tools.map(({ category, own, description }) => `${category}\n${own} ${description}`);
const embedded = await embedder.embed(texts, 'document', new AbortController().signal);
if (!embedded.ok) throw new Error(embedded.error.message);
const paths = hierarchicalPaths(
  embedded.vectors.map((vector) => [...vector]),
  1,
);

for (const own of ['Train timetable', 'Train delays', 'Tide times']) {
  const at = tools.findIndex((tool) => tool.own === own);
  print(`atomic        ${atomicToken(tools[at]?.group ?? '', own)}`);
  print(`semantic      ${names[at]}`);
  print(`numeric       ${numericToken(at, numericWidth(tools.length))}`);
  print(`hierarchical  ${paths[at]?.join(' ')}\n`);
}

// The pieces of a semantic name are its words here; a model's tokenizer has its own. The last id ends a name.
const pieces = [...new Set(names.flatMap((name) => name.split('_')))];
const end = pieces.length;
const idsOf = (name: string): readonly number[] => [...name.split('_').map((piece) => pieces.indexOf(piece)), end];
const nameOf = (ids: readonly number[]): string => ids.flatMap((id) => pieces[id] ?? []).join('_');
const trie = new TokenTrie(names.map(idsOf));
const following = (start: string): string =>
  (trie.next(start === '' ? [] : idsOf(start).slice(0, -1)) ?? []).map((id) => pieces[id] ?? 'end').join(', ');
print(`${names.length} names begin with ${trie.next([])?.length} words`);
print(`after "train": ${following('train')}`);
print(`after "train_delays_for": ${following('train_delays_for')}\n`);

// In place of a model: 3 for a word that the query says, less the further back; an end is likely after four words.
const query = 'does the train have any delays or is the weather to blame for them'.split(' ');
const logits = (prefix: readonly number[]): readonly number[] =>
  [...pieces, 'end'].map((piece, id) => {
    if (id === end) return prefix.length > 3 ? 4 : -2;
    const said = query.indexOf(piece);
    return said < 0 || prefix.includes(id) ? 0 : 3 - said / 10;
  });
print(`whatever it likes  ${nameOf(decodeUnconstrained(logits, end, 6))}`);
print(`greedy, held       ${nameOf(decodeGreedy(trie, logits))}`);
for (const { ids, logprob } of decodeBeams(trie, logits, 3))
  print(`beam of 3, held    ${logprob.toFixed(2)}  ${nameOf(ids)}`);
