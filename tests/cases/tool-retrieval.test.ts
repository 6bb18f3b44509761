import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ndcgAt } from '@unroll/evals';
import { describe, expect, test } from 'vitest';
import { okapiRanking } from '../../bench/tools/okapi-ranking.ts';
import { casesFolder, readCases } from './case-file.ts';

interface RankingCase {
  readonly set: string;
  readonly query_id: number;
  readonly query: string;
  readonly relevant: readonly number[];
  readonly top10: readonly { readonly id: number; readonly score: number }[];
  readonly ndcg: Readonly<Record<string, number>>;
}

interface Api {
  readonly id: number;
  readonly tool: string;
  readonly api: string;
  readonly description: string | null;
}

/** The 2,490 APIs that the cases rank are data for measuring, no part of the project: named, or beside the cases. */
const named = process.env['TOOLBENCH_DIR'];
const folders = named === undefined ? ['../data/toolbench', 'data/toolbench', 'toolbench'] : [named];
const files = folders.map((folder) => join(named === undefined ? casesFolder : '', folder, 'apis.jsonl'));
const file = files.find((path) => existsSync(path));

test('TOOLBENCH_DIR, where it is set, is a folder that holds apis.jsonl', () => {
  expect(named === undefined || file !== undefined, `there is no ${files[0]}`).toBe(true);
});

const leftOut = file === undefined ? ` (left out: set TOOLBENCH_DIR, there is no ${files[0]})` : '';

describe.skipIf(file === undefined)(`plain BM25 over tool, name and description of 2,490 APIs${leftOut}`, () => {
  const text = file === undefined ? '' : readFileSync(file, 'utf8').trim();
  const apis = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Api]));
  const rank = okapiRanking(apis.map(({ tool, api, description }) => `${tool} ${api} ${description ?? ''}`));

  test.for(readCases<RankingCase>('s4_bm25_sample.jsonl'))('$set $query_id', ({ query, relevant, top10, ndcg }) => {
    const hits = rank(query, 10).map(({ document, score }) => ({
      id: apis[document]?.id ?? -1,
      score: Math.round(score * 1e4) / 1e4,
    }));
    expect(hits).toEqual(top10);
    const wanted = new Set(relevant.map(String));
    const ids = hits.map(({ id }) => String(id));
    const rounded = (value: number | undefined): number => Math.round((value ?? Number.NaN) * 1e6) / 1e6;
    for (const [depth, value] of Object.entries(ndcg)) {
      expect(rounded(ndcgAt(ids, wanted, Number(depth.slice(1))))).toBe(value);
    }
  });
});
