import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Embedder,
  type JsonObject,
  parseJson,
  type SearchIndex,
  type SearchOptions,
} from '../packages/engine/src/index.ts';
import { createIndexDatabase, embeddedIndex, rarityOfIndex } from '../packages/nodes/src/build-index/index.ts';
import type { IndexDocument } from '../packages/nodes/src/embedded-index/index-document.ts';
import { IndexWriter } from '../packages/nodes/src/embedded-index/index-writer.ts';
import { offlineEmbedder, readRarity } from '../packages/nodes/src/embedders/offline-embedder.ts';
import { modelEmbedder } from './model-embedder.ts';

/**
 * What is found, without a model: by words, by the offline embedder, by both. On the sample flow's questions, and with
 * APPI_DATA, a folder that holds law.jsonl and queries_section2article.jsonl, which articles of the law a section of the
 * guideline is about: asked by its heading, and by heading and text. With EMBEDDINGS, the address of an embeddings service
 * (`http://127.0.0.1:PORT/v1`), by its vectors as well.
 */
interface Question {
  readonly query: string;
  readonly relevant: ReadonlySet<string>;
}

function readLines(path: string): readonly JsonObject[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => parseJson(line) as JsonObject);
}

const { EMBEDDINGS: service } = process.env;

async function indexOf(documents: readonly IndexDocument[], given?: Embedder): Promise<SearchIndex> {
  const database = createIndexDatabase(':memory:');
  const writer = new IndexWriter(database);
  writer.putSource('documents', '', documents);
  const embedder = given ?? offlineEmbedder(readRarity(rarityOfIndex(database)));
  const texts = writer.unembedded(documents.length);
  const result = await embedder.embed(
    texts.map(({ text }) => text),
    'document',
    new AbortController().signal,
  );
  if (!result.ok) throw new Error(result.error.message);
  writer.putVectors(texts.map((one, at) => ({ ...one, vector: result.vectors[at] ?? new Float32Array() })));
  return embeddedIndex(database, async () => embedder);
}

async function measure(
  name: string,
  index: SearchIndex,
  questions: readonly Question[],
  options: Partial<SearchOptions>,
): Promise<void> {
  const sums = { recall5: 0, recall10: 0, ndcg5: 0, ndcg10: 0 };
  for (const { query, relevant } of questions) {
    const result = await index.search(query, { topK: 10, ...options });
    const ids = result.ok ? result.hits.map(({ id }) => id) : [];
    sums.recall5 += recall(ids.slice(0, 5), relevant);
    sums.recall10 += recall(ids, relevant);
    sums.ndcg5 += ndcg(ids, relevant, 5);
    sums.ndcg10 += ndcg(ids, relevant, 10);
  }
  const shown = Object.values(sums).map((sum) => ((100 * sum) / questions.length).toFixed(1).padStart(9));
  process.stdout.write(`  ${name.padEnd(34)}${shown.join('')}\n`);
}

function recall(ids: readonly string[], relevant: ReadonlySet<string>): number {
  return ids.filter((id) => relevant.has(id)).length / relevant.size;
}

/** Binary gain, log2 discount, ideal over all that is relevant. */
function ndcg(ids: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  const gain = ids.slice(0, k).reduce((sum, id, at) => sum + (relevant.has(id) ? 1 / Math.log2(at + 2) : 0), 0);
  const best = Array.from({ length: Math.min(k, relevant.size) }, (_, at) => 1 / Math.log2(at + 2));
  return gain / best.reduce((sum, one) => sum + one, 0);
}

async function table(
  title: string,
  documents: readonly IndexDocument[],
  questions: readonly Question[],
): Promise<void> {
  const index = await indexOf(documents);
  process.stdout.write(`${title}: ${questions.length} questions, ${documents.length} documents\n`);
  process.stdout.write(`${' '.repeat(36)} recall@5  recall@10  NDCG@5  NDCG@10\n`);
  await measure('keyword', index, questions, { mode: 'keyword' });
  await measure('vector, offline embedder', index, questions, { mode: 'vector' });
  await measure('hybrid (the default)', index, questions, { mode: 'hybrid' });
  const even = { keyword: 1, vector: 1 };
  await measure('hybrid, rrf, even weights', index, questions, {
    mode: 'hybrid',
    fusion: { method: 'rrf', k: 60, weights: even },
  });
  if (service === undefined) return;
  const byModel = await indexOf(documents, await modelEmbedder(service));
  await measure('vector, the service', byModel, questions, { mode: 'vector' });
  await measure('hybrid, the service', byModel, questions, { mode: 'hybrid' });
}

const sample = fileURLToPath(new URL('../flows/privacy-agent/', import.meta.url));
const rows = readLines(join(sample, 'data.jsonl'));
for (const source of ['faq', 'guideline']) {
  const documents = readLines(join(sample, `knowledge/${source}.jsonl`)).map(({ id, title, text, ...fields }) => {
    return { id: String(id), title: String(title), text: String(text), fields };
  });
  const questions = rows.flatMap(({ query, expected }) => {
    const id = (expected as JsonObject)[`${source}_id`];
    return id === null || id === undefined ? [] : [{ query: String(query), relevant: new Set([String(id)]) }];
  });
  await table(`privacy sample, ${source}`, documents, questions);
}

const { APPI_DATA: folder } = process.env;
if (folder === undefined) process.stdout.write('APPI: left out, APPI_DATA names no folder\n');
else {
  const articles = readLines(join(folder, 'law.jsonl')).map(({ num, cap, title, paras }) => ({
    id: String(num),
    title: `${cap ?? ''} ${title}`,
    text: (paras as readonly JsonObject[]).map(({ t }) => String(t)).join('\n'),
    fields: {},
  }));
  const pairs = readLines(join(folder, 'queries_section2article.jsonl'));
  for (const [key, what] of [
    ['q', 'heading'],
    ['q2', 'heading and text'],
  ] as const) {
    const questions = pairs.map((pair) => ({
      query: String(pair[key]),
      relevant: new Set((pair['g'] as readonly string[]).map(String)),
    }));
    await table(`APPI, section to article, asked by its ${what}`, articles, questions);
  }
}
