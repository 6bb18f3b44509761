import type { DiffRows, Exported, RowPage, RunsPage } from '@unroll/project/studio-contract';
import { language } from '../words/words.ts';
import { readExportedFile } from './exported-files.ts';
import { exportedRows, neighboursOf } from './exported-rows.ts';

/** An export has one answer whatever page of it is asked for. */
const passedOver = ['limit', 'offset', 'cursor', 'fresh', 'language'];

/** What is asked for, from what an exported page brings along; undefined where that is not in it. */
export async function exportedAnswer(question: string, page: Exported): Promise<unknown> {
  const [path = '', text = ''] = question.split(/\?(.*)/s);
  const query = new URLSearchParams(text);
  if (/^runs\/[^/]+\/rows$/.test(path)) {
    const rows = (await held(nameOf(path, query, ['filter', 'sort']), page))?.rows;
    return rows === undefined ? undefined : exportedRows(rows, query);
  }
  const [, run] = /^(runs\/[^/]+\/rows)\/\d+\/\d+$/.exec(path) ?? [];
  if (run !== undefined) return await exportedRow(path, run, query, page);
  if (path === 'runs') return await exportedRuns(query, page);
  if (path === 'diff/rows' && query.has('group') && query.has('node')) return await pairsOfBoth(query, page);
  const name = nameOf(path, query);
  return (await held(`${name}#${language.peek()}`, page))?.answer ?? (await held(name, page))?.answer;
}

function nameOf(path: string, query: URLSearchParams, more: readonly string[] = []): string {
  const kept = new URLSearchParams(query);
  for (const name of [...passedOver, ...more]) kept.delete(name);
  kept.sort();
  const text = kept.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function held(name: string, page: Exported) {
  const isHere = name in page.answers || name in page.rows;
  const file = page.files[name];
  if (!isHere && file === undefined) return undefined;
  const { answers, rows } = isHere || file === undefined ? page : await readExportedFile(file);
  return { answer: answers[name], rows: rows[name] };
}

/** The row with those before and after it, as they are filtered and sorted. */
async function exportedRow(path: string, list: string, query: URLSearchParams, page: Exported): Promise<unknown> {
  const row = (await held(nameOf(path, query, ['filter', 'sort']), page))?.answer as RowPage | undefined;
  const rows = (await held(nameOf(list, query, ['filter', 'sort']), page))?.rows;
  if (row === undefined || rows === undefined) return row;
  const nobody = { previous: undefined, next: undefined, inFilter: undefined };
  return { ...row, ...nobody, ...neighboursOf(row, rows, query) };
}

async function exportedRuns(query: URLSearchParams, page: Exported): Promise<RunsPage | undefined> {
  const all = (await held(nameOf('runs', query, ['text']), page))?.answer as RunsPage | undefined;
  const wanted = (query.get('text') ?? '').toLowerCase();
  if (all === undefined || wanted === '') return all;
  const runs = all.runs.filter(({ id, name = '', flow }) => [id, name, flow].join('\n').toLowerCase().includes(wanted));
  return { ...all, runs, paging: { next: null, total: runs.length } };
}

/** Pairs of a group in which a node differs. */
async function pairsOfBoth(query: URLSearchParams, page: Exported): Promise<DiffRows | undefined> {
  const without = async (name: string): Promise<DiffRows | undefined> =>
    (await held(nameOf('diff/rows', query, [name]), page))?.answer as DiffRows | undefined;
  const [ofGroup, ofNode] = [await without('node'), await without('group')];
  if (ofGroup === undefined || ofNode === undefined) return undefined;
  const places = new Set(ofGroup.rows.map(({ right }) => `${right.line}/${right.repeat}`));
  const rows = ofNode.rows.filter(({ right }) => places.has(`${right.line}/${right.repeat}`));
  return { rows, paging: { next: null, total: rows.length } };
}
