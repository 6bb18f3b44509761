import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  expectationChanged,
  labelChanged,
  labelsPage,
  rowPage,
  rowsPage,
  runPage,
} from '@unroll/project/studio-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Studio } from '../../packages/project/src/studio/studio.ts';
import { type StudioServer, startStudio } from '../../packages/server/src/index.ts';
import { buildStudio } from '../../packages/studio/build/build-studio.ts';
import { createStudioWorld, type StudioWorld } from './studio-world.ts';

let world: StudioWorld;
let studio: Studio;
let server: StudioServer;
let run: string;
const evaluation = 'evals/privacy-agent/eval.yaml';
const about = { evaluation, metric: 'cited' };

beforeAll(async () => {
  world = createStudioWorld();
  run = await world.evaluate();
  studio = new Studio(world.host, { isReadOnly: false, opened: [] });
  const pageFolder = await buildStudio();
  server = await startStudio(studio, { host: '127.0.0.1', port: 0, isReadOnly: false, pageFolder });
}, 240_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await studio[Symbol.asyncDispose]();
  world[Symbol.dispose]();
});

async function ask(
  path: string,
  body?: object,
  method = 'PUT',
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { headers, method, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}/api/studio/v1/${path}`, init);
  return { status: response.status, body: await response.json() };
}

const page = async (query = '') =>
  labelsPage.parse(
    (await ask(`labels?evaluation=${evaluation}&metric=cited${query.includes('limit=') ? '' : '&limit=500'}${query}`))
      .body,
  );
const labelOf = async (line: number, of = run) =>
  (await page(`&run=${of}&line=${line}&repeat=0&limit=1`)).rows[0]?.label ?? null;
const label = async (line: number, judgement: 'pass' | 'fail' | 'unsure', note?: string) => {
  const change = { line, repeat: 0, label: { judgement, note }, before: await labelOf(line) };
  return labelChanged.parse((await ask('labels', { ...about, run, ...change })).body);
};

test('labels of people and scores of a metric: kept as lines for git, disagreement first, with κ', async () => {
  const before = await page('&order=line');
  expect(before).toMatchObject({ run, metrics: ['grounded', 'cited', 'status'], counts: { unlabelled: 96 } });
  expect(before.agreement.kappa).toMatchObject({ value: null, why: 'no row is judged by both' });
  const scored = before.rows.filter(({ judge }) => judge !== undefined);
  const [passing, failing] = [scored.filter((row) => row.judge?.passed), scored.filter((row) => !row.judge?.passed)];
  for (const row of passing.slice(0, 6)) await label(row.line, 'pass');
  for (const row of failing.slice(0, 5)) await label(row.line, 'fail');
  await label(failing[5]?.line ?? 0, 'unsure');
  const last = await label(passing[6]?.line ?? 0, 'fail', '出典が違う');
  expect(last.agreement).toMatchObject({ rows: 12, bothPass: 6, bothFail: 5, onlyJudgePasses: 1, onlyPersonPasses: 0 });
  expect(last.agreement.kappa.text).toBe('0.83');
  const after = await page();
  expect(after.rows[0]).toMatchObject({ line: passing[6]?.line, disagrees: true, label: { note: '出典が違う' } });
  expect(after.counts).toEqual({ disagree: 1, agree: 11, apart: 1, unlabelled: 83 });
  const said = after.verdict.answer.map(({ parts }) =>
    parts
      .map(({ text }) => text)
      .join('')
      .trim(),
  );
  expect(said).toEqual(['You and cited disagree in 1 of 12 rows.']);
  expect(after.file).toBe('evals/privacy-agent/cases.labels.jsonl');
  expect(readFileSync(join(world.folder, after.file), 'utf8').trim().split('\n')).toHaveLength(13);
});

test('labels stand on the page of the run: rows are narrowed to them, and a row tells its own', async () => {
  const narrowed = async (is: string) => {
    const filter = encodeURIComponent(JSON.stringify({ by: 'label', name: 'cited', is }));
    return rowsPage.parse((await ask(`runs/${run}/rows?filter=${filter}`)).body);
  };
  const rows = await narrowed('pass');
  expect(rows.rows.map(({ labels }) => labels)).toEqual(Array.from({ length: 6 }, () => ({ cited: 'pass' })));
  expect(rows.columns.map(({ id }) => id)).toContain('label.cited');
  const [unsure] = (await narrowed('unsure')).rows;
  const [disagreed, ...none] = (await narrowed('disagrees')).rows;
  expect(none).toEqual([]);
  const shown = await ask(`runs/${run}/rows/${disagreed?.line}/0`);
  expect(rowPage.parse(shown.body).labels).toEqual({ cited: 'fail' });
  await label(unsure?.line ?? 0, 'pass');
  expect((await narrowed('unsure')).paging.total).toBe(0);
  await label(unsure?.line ?? 0, 'unsure');
});

test('the same answers in a later run have the same labels; what is taken back is gone', async () => {
  const again = await world.evaluate();
  const { counts, rows } = await page(`&run=${again}`);
  expect(counts).toEqual({ disagree: 1, agree: 11, apart: 1, unlabelled: 83 });
  const { line = 0 } = rows[0] ?? {};
  const change = { line, repeat: 0, label: null, before: await labelOf(line, again) };
  expect(await ask('labels', { ...about, run: again, ...change })).toMatchObject({ status: 200 });
  expect((await page()).counts).toMatchObject({ disagree: 0, unlabelled: 84 });
});

test('page by page no row is left out and none is twice, though labels that are given change the order', async () => {
  const before = await page();
  const place = ({ line }: { readonly line: number }) => line;
  let asked = await ask(`labels?evaluation=${evaluation}&metric=cited&limit=20`);
  const seen: number[] = [];
  for (let pages = 0; pages < 10; pages += 1) {
    const { rows, paging } = labelsPage.parse(asked.body);
    expect(paging.total).toBe(96);
    const fresh = rows.map(place).filter((line) => !seen.includes(line));
    seen.push(...fresh);
    if (paging.next === null) break;
    // Some of what is shown are labelled before more is asked for.
    for (const { line, label: before } of rows.filter(({ line }) => fresh.slice(0, 4).includes(line))) {
      const change = { line, repeat: 0, label: { judgement: 'pass' }, before: before ?? null };
      expect(await ask('labels', { ...about, run, ...change })).toMatchObject({ status: 200 });
    }
    asked = await ask(`labels?evaluation=${evaluation}&metric=cited&limit=20&cursor=${paging.next}`);
  }
  expect(seen).toEqual(before.rows.map(place));
  expect(await ask(`labels?evaluation=${evaluation}&metric=cited&cursor=7`)).toMatchObject({ status: 400 });
});

test('a label that somebody else gave meanwhile is not written over; a row that is asked for stands first', async () => {
  const path = `labels?evaluation=${evaluation}&metric=cited&line=40&repeat=0&limit=2`;
  const shown = labelsPage.parse((await ask(path)).body);
  expect(shown.rows[0]?.line).toBe(40);
  expect(shown.rows.filter(({ line }) => line === 40)).toHaveLength(1);
  const change = { ...about, run, line: 40, repeat: 0 };
  expect(await ask('labels', { ...change, before: null, label: { judgement: 'fail', note: '甲' } })).toMatchObject({
    status: 200,
  });
  const refused = await ask('labels', { ...change, before: null, label: { judgement: 'pass' } });
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'LabelChanged', message: 'the label of row 40 is another one by now: fail, "甲"' } },
  });
  const [now] = labelsPage.parse((await ask(path)).body).rows;
  expect(now?.label).toEqual({ judgement: 'fail', note: '甲' });
  const before = { judgement: 'fail', note: '甲' };
  expect(await ask('labels', { ...change, before, label: null })).toMatchObject({ status: 200 });
  expect(await ask('labels', { ...change, before, label: { judgement: 'pass' } })).toMatchObject({
    status: 409,
    body: { error: { message: 'the label of row 40 was taken back meanwhile' } },
  });
});

test('a label for an answer that is another one by now is not kept', async () => {
  const [shown] = (await page('&line=41&repeat=0&limit=1')).rows;
  const change = { ...about, run, line: 41, repeat: 0, before: shown?.label ?? null, label: { judgement: 'pass' } };
  expect(await ask('labels', { ...change, answered: 'of another run of this name' })).toMatchObject({
    status: 409,
    body: { error: { code: 'Changed', message: 'the answer of row 41 is another one by now' } },
  });
  expect(await ask('labels', { ...change, answered: shown?.answered })).toMatchObject({ status: 200 });
});

test('a run alone finds the evaluation that it is of', async () => {
  writeFileSync(
    join(world.folder, 'evals/another.eval.yaml'),
    'flow: ../flows/privacy-agent\ndata: others.jsonl\nmetrics:\n- {name: m, on: outputs.answer, evaluator: equals, expected: x}\n',
  );
  const shown = labelsPage.parse((await ask(`labels?run=${run}`)).body);
  expect(shown).toMatchObject({ evaluation, run });
});

test.for([
  { what: 'a run of something else', body: { run: 'none' }, status: 404, code: 'RunNotFound' },
  { what: 'a metric that is none of outputs', body: { metric: 'calls' }, status: 404, code: 'MetricNotFound' },
  { what: 'a row that is not there', body: { line: 5000 }, status: 404, code: 'RowNotFound' },
  {
    what: 'a label that does not say what it takes the place of',
    body: { before: undefined },
    status: 400,
    code: 'BadQuery',
  },
  { what: 'a judgement that is none', body: { label: { judgement: 'maybe' } }, status: 400, code: 'BadQuery' },
])('$what is refused', async ({ body, status, code }) => {
  const whole = { ...about, run, line: 0, repeat: 0, label: { judgement: 'pass' }, before: null, ...body };
  expect(await ask('labels', whole)).toMatchObject({ status, body: { error: { code } } });
});

test('a gate asks how far a metric agrees with the labels, on the page and in the terminal', async () => {
  const file = join(world.folder, evaluation);
  const text = readFileSync(file, 'utf8');
  const written = (least: number) =>
    text.replace(
      /(name: cited[\s\S]*?)gate: \{ no_worse_than: baseline \}/,
      `$1gate: { agreement: ${least}, no_worse_than: baseline }`,
    );
  for (const [least, passed, told] of [
    [0.1, true, /; κ 0\.\d\d over \d+ labelled rows, 95 % interval /],
    [0.99, false, /^κ 0\.\d\d over \d+ labelled rows, .*, below 0\.99$/],
  ] as const) {
    writeFileSync(file, written(least));
    const { metrics } = JSON.parse(await world.flow('gate', 'evals/privacy-agent', '--run', run, '--json')) as {
      readonly metrics: readonly { readonly name: string; readonly gate?: object }[];
    };
    const rule = `agreement ${least}`;
    const gate = metrics.find(({ name }) => name === 'cited')?.gate;
    expect(gate).toMatchObject({ rule: expect.stringContaining(rule), passed, reason: expect.stringMatching(told) });
    const page = await ask(`evaluation?path=${evaluation}&run=${run}`);
    expect(JSON.stringify(page.body)).toContain(rule);
  }
  writeFileSync(file, text);
});

describe('an answer is accepted as the expected one', () => {
  const accept = (more: object) =>
    ask('labels/expectation', { ...about, run, line: 3, repeat: 0, expected: 'unknown', ...more }, 'POST');

  test('what changes is shown first, then the line of the data is written, and labels show it', async () => {
    const path = join(world.folder, 'evals/privacy-agent/cases.jsonl');
    const before = readFileSync(path, 'utf8');
    const shown = expectationChanged.parse((await accept({})).body);
    expect(shown).toMatchObject({
      file: 'evals/privacy-agent/cases.jsonl',
      column: 'expected.source',
      isWritten: false,
    });
    expect(shown.lines).toMatchObject([
      { number: 4, changes: expect.arrayContaining([{ kind: 'added', text: 'unknown' }]) },
    ]);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(await accept({ digest: shown.digest })).toMatchObject({ status: 200, body: { isWritten: true } });
    const [lines, were] = [readFileSync(path, 'utf8').split('\n'), before.split('\n')];
    expect(lines.filter((line, at) => line !== were[at])).toHaveLength(1);
    expect(JSON.parse(lines[3] ?? '')).toEqual({
      ...JSON.parse(were[3] ?? ''),
      expected: { ...JSON.parse(were[3] ?? '').expected, source: 'unknown' },
    });
    const asked = await ask(`labels?evaluation=${evaluation}&metric=cited&run=${run}&order=line&limit=10`);
    const row = labelsPage.parse(asked.body).rows.find(({ line }) => line === 3);
    expect(row).toMatchObject({ expectation: { text: 'unknown' }, judge: { passed: false } });
    // The file is another one by now.
    expect(await accept({ expected: 'other', digest: shown.digest })).toMatchObject({
      status: 409,
      body: { error: { code: 'Changed' } },
    });
  });

  test('without a text it is what the flow answered', async () => {
    const shown = expectationChanged.parse((await accept({ expected: undefined })).body);
    expect(shown.lines).toMatchObject([
      { number: 4, changes: expect.arrayContaining([{ kind: 'removed', text: 'unknown' }]) },
    ]);
  });

  test('a row whose question stands in the data no more is refused', async () => {
    const path = join(world.folder, 'evals/privacy-agent/cases.jsonl');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.split('\n').slice(1).join('\n'));
    expect(await accept({})).toMatchObject({ status: 409, body: { error: { code: 'Changed' } } });
    writeFileSync(path, text);
  });
});

test('a line that is no label is told with its place, and what is there stays', async () => {
  const file = join(world.folder, 'evals/privacy-agent/cases.labels.jsonl');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `not a label\n${text}`);
  const told = {
    status: 422,
    body: { error: { code: 'LabelFileError', message: expect.stringContaining('cases.labels.jsonl:1: ') } },
  };
  expect(await ask(`labels?evaluation=${evaluation}&metric=cited`)).toMatchObject(told);
  expect(
    await ask('labels', { ...about, run, line: 0, repeat: 0, label: { judgement: 'pass' }, before: null }),
  ).toMatchObject(told);
  expect(readFileSync(file, 'utf8')).toBe(`not a label\n${text}`);
  const seen = runPage.parse((await ask(`runs/${run}`)).body);
  expect(seen.evaluationProblem).toContain('cases.labels.jsonl:1: ');
  expect(seen.metrics.length).toBeGreaterThan(0);
  writeFileSync(file, `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`);
  expect(await ask(`labels?evaluation=${evaluation}&metric=cited`)).toMatchObject({
    status: 422,
    body: {
      error: { message: expect.stringContaining('cases.labels.jsonl:1: it'), help: expect.stringContaining('merge') },
    },
  });
  writeFileSync(file, text);
});
