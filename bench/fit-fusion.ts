import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Embedder,
  type Fusion,
  type FusionWeights,
  type JsonObject,
  parseJson,
} from '../packages/engine/src/index.ts';
import { createIndexDatabase, rarityOfIndex } from '../packages/nodes/src/build-index/index.ts';
import { readFile } from '../packages/nodes/src/documents/read-file.ts';
import { fuseRankings } from '../packages/nodes/src/embedded-index/fuse-rankings.ts';
import type { IndexDocument } from '../packages/nodes/src/embedded-index/index-document.ts';
import { IndexWriter } from '../packages/nodes/src/embedded-index/index-writer.ts';
import { keywordScores } from '../packages/nodes/src/embedded-index/keyword-scores.ts';
import { dot, normalized } from '../packages/nodes/src/embedded-index/quantize.ts';
import { offlineEmbedder, readRarity } from '../packages/nodes/src/embedders/offline-embedder.ts';
import { modelEmbedder } from './model-embedder.ts';

/**
 * How a hybrid search with the offline embedder should add both scores, found on queries made of documents themselves: a
 * sentence taken out of a document is to find the rest of it, a few words of that sentence are, and a title that was taken away
 * is to find its text. No judged query takes part. Documents: this project's pages, the sample's FAQ, with APPI_DATA the
 * articles of a law, with TOOLBENCH_DIR descriptions of APIs. With EMBEDDINGS, the address of an embeddings service, its vectors
 * take the place of the offline embedder's.
 */
interface Task {
  readonly name: string;
  readonly documents: readonly IndexDocument[];
  /** The document each query was made of. */
  readonly queries: readonly { readonly query: string; readonly id: string }[];
}

let state = 1;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const words = new Intl.Segmenter('ja', { granularity: 'word' });

function sentencesOf(text: string): readonly string[] {
  const found = text.split(/(?<=[。．])|(?<=[.!?])\s+|\n+/u).map((sentence) => sentence.trim());
  return found.filter(({ length }) => length >= 12);
}

/** A sentence of each document asks for the rest of it. */
function sentenceTask(name: string, documents: readonly IndexDocument[]): Task {
  const queries: { query: string; id: string }[] = [];
  const rests = documents.map((document) => {
    const sentences = sentencesOf(document.text);
    if (sentences.length < 2) return document;
    const at = Math.floor(random() * sentences.length);
    queries.push({ query: sentences[at] ?? '', id: document.id });
    return { ...document, text: sentences.toSpliced(at, 1).join('\n') };
  });
  return { name: `${name}, a sentence`, documents: rests, queries };
}

/** Three to eight words of such a sentence, in a row, ask for the rest. */
function wordsTask(name: string, documents: readonly IndexDocument[]): Task {
  const task = sentenceTask(name, documents);
  const queries = task.queries.map(({ query, id }) => {
    const segments = [...words.segment(query)].map(({ segment }) => segment);
    const length = 3 + Math.floor(random() * 6);
    const at = Math.floor(random() * Math.max(1, segments.length - length));
    return { query: segments.slice(at, at + length).join(''), id };
  });
  return { ...task, name: `${name}, a few words`, queries };
}

/** Titles ask for texts that have none. */
function titleTask(name: string, documents: readonly IndexDocument[]): Task {
  const queries = documents.flatMap(({ id, title = '' }) => (title.length > 1 ? [{ query: title, id }] : []));
  return { name: `${name}, a title`, documents: documents.map(({ title: _, ...rest }) => rest), queries };
}

function readLines(path: string): readonly JsonObject[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as JsonObject);
}

async function pagesOf(folder: string): Promise<readonly IndexDocument[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const read = names.map((name) =>
    readFile(name, join(folder, name), readFileSync(join(folder, name)), { tokens: 400, overlap: 0 }),
  );
  return (await Promise.all(read)).flatMap(({ documents }) => documents);
}

/** How often sentences and words are drawn again. */
const draws = 3;

async function tasks(): Promise<readonly Task[]> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const pages = [...(await pagesOf(join(root, 'docs'))), ...(await pagesOf(join(root, 'docs/guide')))];
  const faq = readLines(join(root, 'flows/privacy-agent/knowledge/faq.jsonl')).map(({ id, title, text }) => {
    return { id: String(id), title: String(title), text: String(text), fields: {} };
  });
  const { APPI_DATA: appi, TOOLBENCH_DIR: toolbench } = process.env;
  const law = appi === undefined ? [] : readLines(join(appi, 'law.jsonl'));
  const articles = law.map(({ num, cap, paras }) => ({
    id: String(num),
    title: String(cap ?? '').replace(/[（）]/gu, ''),
    text: (paras as readonly JsonObject[]).map(({ t }) => String(t)).join('\n'),
    fields: {},
  }));
  const apis = toolbench === undefined ? [] : readLines(join(toolbench, 'apis.jsonl'));
  const descriptions = apis.map(({ id, tool, api, description }) => {
    return { id: String(id), title: `${tool} ${api}`, text: String(description || api), fields: {} };
  });
  const drawn = Array.from({ length: draws }, () => [
    ...[sentenceTask('law', articles), wordsTask('law', articles), wordsTask('FAQ', faq)],
    ...[wordsTask('APIs', descriptions), sentenceTask('pages', pages), wordsTask('pages', pages)],
  ]);
  const all = [...drawn.flat(), titleTask('law', articles), titleTask('FAQ', faq), titleTask('pages', pages)];
  return all.filter(({ queries }) => queries.length > 0);
}

const { EMBEDDINGS: service } = process.env;
const byModel = service === undefined ? undefined : await modelEmbedder(service);

interface Found {
  readonly recall5: number;
  readonly ndcg10: number;
}

async function measure({ documents, queries }: Task): Promise<readonly Found[]> {
  const database = createIndexDatabase(':memory:');
  new IndexWriter(database).putSource('made', '', documents);
  const embedder: Embedder = byModel ?? offlineEmbedder(readRarity(rarityOfIndex(database)));
  const rows = database.prepare('SELECT id, name, title, text FROM documents').all();
  const embed = async (texts: readonly string[], purpose: 'document' | 'query'): Promise<readonly Float32Array[]> => {
    const made = await embedder.embed(texts, purpose, new AbortController().signal);
    if (!made.ok) throw new Error(made.error.message);
    return made.vectors.map(normalized);
  };
  const texts = rows.map(({ title, text }) => (title === null ? String(text) : `${title}\n${text}`));
  const vectors = await embed(texts, 'document');
  const asked = await embed(
    queries.map(({ query }) => query),
    'query',
  );
  const places = queries.map(({ query, id }, at) => {
    const keyword = keywordScores(database, query, candidates, undefined);
    const cosines = rows.map(
      (row, index) => [Number(row['id']), dot(vectors[index] ?? none, asked[at] ?? none)] as const,
    );
    cosines.sort(([, one], [, other]) => other - one);
    const vector = new Map(cosines.filter(([document], rank) => rank < candidates || keyword.has(document)));
    const wanted = Number(rows.find(({ name }) => name === id)?.['id']);
    return ways.map(({ fusion }) => placeOf(wanted, fuseRankings(keyword, vector, fusion)));
  });
  database.close();
  return ways.map((_, way) => {
    const ranks = places.map((of) => of[way] ?? 0);
    const gains = ranks.map((rank) => (rank > 10 ? 0 : 1 / Math.log2(rank + 1)));
    return { recall5: 100 * meanOf(ranks.map((rank) => Number(rank <= 5))), ndcg10: 100 * meanOf(gains) };
  });
}

/** Of each ranking, as a hybrid search takes them. */
const candidates = 100;
const none = new Float32Array();

/** From 1 on; half of those of the same score stand before. */
function placeOf(wanted: number, scores: ReadonlyMap<number, number>): number {
  const score = scores.get(wanted);
  if (score === undefined) return Number.POSITIVE_INFINITY;
  const all = [...scores.values()];
  return 0.5 + all.filter((other) => other > score).length + all.filter((other) => other === score).length / 2;
}

interface Way {
  readonly name: string;
  readonly fusion: Fusion;
}

const shares = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5];
const forms: readonly (readonly [string, (weights: FusionWeights) => Fusion])[] = [
  ['relative', (weights) => ({ method: 'relative', weights })],
  ['linear', (weights) => ({ method: 'linear', weights })],
  ['rrf, k 60', (weights) => ({ method: 'rrf', k: 60, weights })],
  ['rrf, k 10', (weights) => ({ method: 'rrf', k: 10, weights })],
];
const ways: readonly Way[] = forms.flatMap(([name, fusion]) =>
  shares.map((vector) => ({
    name: `${name}, vector ${vector.toFixed(2)}`,
    fusion: fusion({ keyword: 1 - vector, vector }),
  })),
);

/** Results of the same task's draws, by its name. */
const results = new Map<string, (readonly Found[])[]>();
for (const task of await tasks()) {
  const found = await measure(task);
  process.stdout.write(`${task.name}: ${task.queries.length} queries\n`);
  results.set(task.name, [...(results.get(task.name) ?? []), found]);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Of each task. */
function figures(way: number, of: (found: Found) => number): readonly number[] {
  return [...results.values()].map((drawn) => meanOf(drawn.map((found) => of(found[way] ?? nothing))));
}

const nothing = { recall5: 0, ndcg10: 0 };
const recalls = (way: number): readonly number[] => figures(way, ({ recall5 }) => recall5);
const alone = recalls(0);
process.stdout.write(`${'mean over tasks'.padEnd(26)}recall@5  NDCG@10  most recall@5 lost in a task\n`);
for (const [at, { name }] of ways.entries()) {
  const lost = Math.max(...recalls(at).map((recall, task) => (alone[task] ?? 0) - recall));
  const shown = [meanOf(recalls(at)), meanOf(figures(at, ({ ndcg10 }) => ndcg10)), lost];
  process.stdout.write(`${name.padEnd(26)}${shown.map((one) => one.toFixed(2).padStart(9)).join('')}\n`);
}
