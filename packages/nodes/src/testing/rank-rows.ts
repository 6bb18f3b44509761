import type { WireIndex } from './azure-index-contract.ts';
import type { Row } from './odata-expression.ts';

export interface RankedRow {
  readonly row: Row;
  readonly score: number;
  readonly rerankerScore?: number;
}

interface VectorQuery {
  readonly vector: readonly number[];
  readonly fields: string;
  readonly k?: number;
  readonly weight?: number;
}

const k = 60;

/** Rows in the order of a search: by words, by cosine, or by the reciprocal ranks of both. */
export function rankRows(
  rows: readonly Row[],
  body: Readonly<Record<string, unknown>>,
  definition: WireIndex,
): readonly RankedRow[] {
  const ranked = rankingOf(rows, body, definition);
  if (body['queryType'] !== 'semantic') return ranked;
  return ranked.slice(0, 50).map((one, index) => ({ ...one, rerankerScore: 4 / (index + 1) }));
}

function rankingOf(
  rows: readonly Row[],
  body: Readonly<Record<string, unknown>>,
  definition: WireIndex,
): readonly RankedRow[] {
  const search = typeof body['search'] === 'string' ? body['search'] : '';
  const [vectorQuery] = (body['vectorQueries'] ?? []) as readonly VectorQuery[];
  const hasWords = search !== '' && search !== '*';
  if (vectorQuery === undefined)
    return hasWords ? byWords(rows, search, definition) : inOrder(rows, String(body['orderby'] ?? ''));
  const near = byCosine(rows, vectorQuery);
  return hasWords ? fused(byWords(rows, search, definition), near, vectorQuery.weight ?? 1) : near;
}

function inOrder(rows: readonly Row[], orderby: string): readonly RankedRow[] {
  const [field = ''] = orderby.split(' ');
  const sorted = rows.toSorted((left, right) => (String(left[field]) < String(right[field]) ? -1 : 1));
  return (field === '' ? rows : sorted).map((row) => ({ row, score: 1 }));
}

function byWords(rows: readonly Row[], search: string, { fields }: WireIndex): readonly RankedRow[] {
  const searched = fields.filter(({ searchable, type }) => searchable === true && type === 'Edm.String');
  const texts = rows.map((row) => wordsOf(searched.map(({ name }) => String(row[name] ?? '')).join('\n')));
  const wanted = new Set(wordsOf(search));
  const rarity = (word: string): number =>
    Math.log(1 + rows.length / (1 + texts.filter((text) => text.includes(word)).length));
  return rows
    .map((row, index) => {
      const text = texts[index] ?? [];
      const found = [...wanted].filter((word) => text.includes(word));
      return { row, score: found.reduce((sum, word) => sum + rarity(word), 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
const functionWords = new Set('a an and is the of to in for what who は が を に の で と も'.split(' '));

function wordsOf(text: string): readonly string[] {
  return [...segmenter.segment(text.normalize('NFKC').toLowerCase())]
    .filter(({ isWordLike, segment }) => isWordLike === true && !functionWords.has(segment))
    .map(({ segment }) => segment);
}

function byCosine(rows: readonly Row[], { vector, fields, k: count = 50 }: VectorQuery): readonly RankedRow[] {
  return rows
    .flatMap((row) => {
      const own = row[fields] as readonly number[] | null | undefined;
      return own === null || own === undefined ? [] : [{ row, score: cosine(own, vector) }];
    })
    .sort((left, right) => right.score - left.score)
    .slice(0, count);
}

function cosine(left: readonly number[], right: readonly number[]): number {
  const dot = left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
  const length = Math.hypot(...left) * Math.hypot(...right);
  return length === 0 ? 0 : dot / length;
}

function fused(words: readonly RankedRow[], near: readonly RankedRow[], weight: number): readonly RankedRow[] {
  const scores = new Map<Row, number>();
  for (const [index, { row }] of words.entries()) scores.set(row, 1 / (k + index + 1));
  for (const [index, { row }] of near.entries()) scores.set(row, (scores.get(row) ?? 0) + weight / (k + index + 1));
  return [...scores].map(([row, score]) => ({ row, score })).sort((left, right) => right.score - left.score);
}
