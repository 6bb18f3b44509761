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
  if (path === 'diff/rows') return await exportedPairs(query, page);
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
  const name = nameOf('runs', query, ['text']);
  const spoken = (await held(`${name}#${language.peek()}`, page)) ?? (await held(name, page));
  const all = spoken?.answer as RunsPage | undefined;
  const wanted = (query.get('text') ?? '').toLowerCase();
  if (all === undefined || wanted === '') return all;
  const runs = all.runs.filter(({ id, name = '', flow }) => [id, name, flow].join('\n').toLowerCase().includes(wanted));
  return { ...all, runs, paging: { next: null, total: runs.length } };
}

const narrowings = ['group', 'node', 'only'];

/** Pairs as they were gathered, else those that lists of each narrowing have in common. */
async function exportedPairs(query: URLSearchParams, page: Exported): Promise<DiffRows | undefined> {
  const listed = async (name: string): Promise<DiffRows | undefined> =>
    ((await held(`${name}#${language.peek()}`, page))?.answer ?? (await held(name, page))?.answer) as
      | DiffRows
      | undefined;
  const whole = await listed(nameOf('diff/rows', query));
  const given = narrowings.filter((name) => query.has(name));
  if (whole !== undefined || given.length < 2) return whole;
  const others = (kept: string): readonly string[] => narrowings.filter((name) => name !== kept);
  const lists = await Promise.all(given.map((name) => listed(nameOf('diff/rows', query, others(name)))));
  const found = lists.flatMap((list) => list ?? []);
  // What is told of a node stands in the list of that node.
  const pairs = found[given.indexOf('node')] ?? found[0];
  if (pairs === undefined || found.length < given.length) return undefined;
  const places = found.map(({ rows }) => new Set(rows.map(({ right }) => `${right.line}/${right.repeat}`)));
  const rows = pairs.rows.filter(({ right }) => places.every((of) => of.has(`${right.line}/${right.repeat}`)));
  return { rows, paging: { next: null, total: rows.length } };
}
