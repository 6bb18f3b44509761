import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Studio } from '@unroll/project/studio';
import { expect, test } from 'vitest';
import { serveFlows } from '../testing/served-world.ts';

const now = Date.UTC(2026, 10, 21, 6, 45);

async function put(url: string, body: string): Promise<readonly [status: number, answer: unknown]> {
  const answer = await fetch(url, { method: 'PUT', body });
  return [answer.status, await answer.json()];
}

test('labels are put beside the row they are about, and only beside one that there is', async () => {
  await using world = await serveFlows(['double', 'wait'], { now: () => now });
  const { url } = world.server;
  const ran = await fetch(`${url}/flows/double/runs`, { method: 'POST', body: '{"n": 2}' });
  const place = ran.headers.get('x-flow-run') ?? '';
  const labels = { pass: false, note: '根拠がない', expected: { twice: 5 } };
  expect(await put(`${url}/runs/${place}/labels`, JSON.stringify(labels))).toEqual([
    200,
    { run: place.replace(/\/0$/, ''), line: 0, labels },
  ]);
  expect(await put(`${url}/runs/${place}/labels`, '{"pass": true}')).toMatchObject([200, { labels: { pass: true } }]);
  for (const [path, body, status, code] of [
    [`${place}/labels`, '[1]', 400, 'InvalidBody'],
    [`${place}/labels`, '', 400, 'InvalidBody'],
    [`${place}/labels`, '{"judgement": "good"}', 400, 'InvalidLabels'],
    [`${place}/labels`, '{"pass": "false"}', 400, 'InvalidLabels'],
    [`${place}/labels`, '{"pass": 1}', 400, 'InvalidLabels'],
    [`${place}/labels`, '{"judgement": "fail", "pass": true}', 400, 'InvalidLabels'],
    [`${place}/labels`, '{"pass": true, "answer": false}', 400, 'InvalidLabels'],
    ['none/0/labels', '{}', 404, 'RowNotFound'],
    [place.replace(/0$/, '1/labels'), '{}', 404, 'RowNotFound'],
    ['..%2f..%2fdouble/0/labels', '{}', 404, 'RowNotFound'],
  ] as const)
    expect(await put(`${url}/runs/${path}`, body), path).toMatchObject([status, { error: { code } }]);
  const file = join(world.host.runsFolder, 'labels.jsonl');
  // As a full disk leaves it.
  appendFileSync(file, '{"at": "2026');
  await put(`${url}/runs/${place}/labels`, '{"pass": false}');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.splice(2, 1)).toEqual(['{"at": "2026']);
  const about = { at: '2026-11-21T06:45:00.000Z', flow: 'double', place };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...about, labels },
    { ...about, labels: { pass: true } },
    { ...about, labels: { pass: false } },
  ]);
});

test('the studio narrows the rows of a server to those that callers labelled so', async () => {
  await using world = await serveFlows(['double']);
  const { url } = world.server;
  const ran = async (labels?: string) => {
    const { headers } = await fetch(`${url}/flows/double/runs`, { method: 'POST', body: '{"n": 2}' });
    const place = headers.get('x-flow-run') ?? '';
    if (labels !== undefined) await put(`${url}/runs/${place}/labels`, labels);
    return place.replace(/\/\d+$/, '');
  };
  await ran();
  await ran('{"judgement": "fail", "pass": false, "polite": true, "note": "wrong"}');
  await ran('{"pass": false}');
  const run = await ran('{"pass": true}');
  await using studio = new Studio(world.host, { isReadOnly: true, opened: [] });
  const linesOf = async (name: string, is: 'pass' | 'fail' | 'none') => {
    const { rows } = await studio.rows(run, { filters: [{ by: 'label', name, is }], isFresh: true });
    return rows.map(({ line, labels }) => [line, labels]);
  };
  expect(await linesOf('answer', 'fail')).toEqual([
    [1, { answer: 'fail', polite: 'pass' }],
    [2, { answer: 'fail' }],
  ]);
  expect(await linesOf('answer', 'pass')).toEqual([[3, { answer: 'pass' }]]);
  expect(await linesOf('polite', 'none')).toEqual([
    [0, {}],
    [2, { answer: 'fail' }],
    [3, { answer: 'pass' }],
  ]);
  writeFileSync(join(world.host.runsFolder, 'labels.jsonl'), `${run}\n`);
  const page = await studio.run(run, {});
  expect(page.evaluationProblem).toContain('labels.jsonl:1: it is no label');
});

test('labels that cannot be kept are answered so, and told', async () => {
  await using world = await serveFlows(['double']);
  const { url } = world.server;
  const ran = await fetch(`${url}/flows/double/runs`, { method: 'POST', body: '{"n": 2}' });
  mkdirSync(join(world.host.runsFolder, 'labels.jsonl'));
  const answer = await put(`${url}/runs/${ran.headers.get('x-flow-run')}/labels`, '{}');
  expect(answer).toMatchObject([500, { error: { code: 'NotKept' } }]);
  expect(world.notices).toMatchObject([{ kind: 'warning', message: expect.stringContaining('labels cannot be kept') }]);
});
