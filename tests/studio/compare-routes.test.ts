import { diffPage, diffRow, diffRows, evaluationPage, evaluationsPage, runPage } from '@unroll/project/studio-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Studio } from '../../packages/project/src/studio/studio.ts';
import { type StudioServer, startStudio } from '../../packages/server/src/index.ts';
import { buildStudio } from '../../packages/studio/build/build-studio.ts';
import { createStudioWorld, guidelineFirst, type StudioWorld } from './studio-world.ts';

let world: StudioWorld;
let studio: Studio;
let server: StudioServer;
let left: string;
let right: string;
const path = 'evals/privacy-agent/eval.yaml';

beforeAll(async () => {
  world = createStudioWorld();
  left = await world.evaluate();
  right = await world.evaluate(guidelineFirst);
  studio = new Studio(world.host, { isReadOnly: false, opened: [] });
  const pageFolder = await buildStudio();
  server = await startStudio(studio, { host: '127.0.0.1', port: 0, isReadOnly: false, pageFolder });
}, 240_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await studio[Symbol.asyncDispose]();
  world[Symbol.dispose]();
});

async function get(route: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await fetch(`${server.url}/api/studio/v1/${route}`, { headers });
  return { status: response.status, body: await response.json() };
}

test('what two runs differ in, its rows by pages, one row', async () => {
  const page = diffPage.parse((await get(`diff?left=${left}&right=${right}`)).body);
  expect(page.groups[0]).toMatchObject({ name: 'worse' });
  const { rows, paging } = diffRows.parse(
    (await get(`diff/rows?left=${left}&right=${right}&group=worse&limit=5`)).body,
  );
  expect({ rows: rows.length, total: paging.total }).toEqual({ rows: 5, total: page.groups[0]?.rows });
  const { line = 0, repeat = 0 } = rows[0]?.right ?? {};
  const row = diffRow.parse((await get(`diff/row?left=${left}&right=${right}&line=${line}&repeat=${repeat}`)).body);
  expect(row.right).toEqual({ line, repeat });
});

test('a run is compared with one that there is: the run of the baseline is not among them', async () => {
  const againstOf = async (id: string) => runPage.parse((await get(`runs/${id}`)).body).against;
  expect([await againstOf(left), await againstOf(right)]).toEqual([undefined, left]);
});

test('evaluations of the folder, and what one of them says of runs', async () => {
  expect(evaluationsPage.parse((await get('evaluations')).body).evaluations).toHaveLength(1);
  const page = evaluationPage.parse((await get(`evaluation?path=${path}&run=${left}&run=${right}`)).body);
  expect(page.runs.map(({ run }) => run.id)).toEqual([left, right]);
});

test.for([
  { route: 'diff?left=none&right=none', status: 404, code: 'RunNotFound' },
  { route: 'diff?left=..%2F..%2Fetc%2Fpasswd', status: 404, code: 'RunNotFound' },
  { route: 'diff?which=one', status: 400, code: 'BadQuery' },
  { route: 'diff/rows?group=nothing', status: 400, code: 'BadQuery' },
  { route: 'diff/rows?limit=501', status: 400, code: 'BadQuery' },
  { route: 'diff/rows?cursor=-1', status: 400, code: 'BadQuery' },
  { route: 'diff/row?line=100000&repeat=0', status: 404, code: 'RowNotFound' },
  { route: 'evaluation?path=none', status: 404, code: 'EvalNotFound' },
  { route: 'evaluation', status: 400, code: 'BadQuery' },
])('$route is refused: $code', async ({ route, status, code }) => {
  expect(await get(route)).toMatchObject({ status, body: { error: { code } } });
});
