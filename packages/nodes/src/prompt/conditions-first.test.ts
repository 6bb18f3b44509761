import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWrittenFlow } from '@unroll/promptflow/testing';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'unroll-conditions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'p.jinja2'), 'text');

async function run(nodes: readonly string[]) {
  const written = nodes.map((node) => `- {type: prompt, source: {type: code, path: p.jinja2}, ${node}}\n`);
  const text = `inputs: {q: {type: string}}\nnodes:\n${written.join('')}`;
  await using flow = await openWrittenFlow(text, folder);
  const { row, nodes: runs } = await flow.runRow({ q: 'x' });
  return { error: row.error?.code, nodes: runs.map(({ node, status }) => `${node} ${status}`) };
}

test('a condition that cannot be read lets none of the nodes that are ready start', async () => {
  const wrong = 'name: b, activate: {when: "${inputs.nope}", is: 1}';
  expect(await run(['name: a', wrong])).toEqual({ error: 'InputNotFound', nodes: ['a NotRun', 'b NotRun'] });
});

test('what is bypassed is so before others start', async () => {
  const bypassed = 'name: b, activate: {when: "${inputs.q}", is: y}';
  const after = 'name: c, inputs: {x: "${b.output}"}';
  const ran = await run(['name: a', bypassed, after]);
  expect(ran).toEqual({ error: undefined, nodes: ['a Completed', 'b Bypassed', 'c Bypassed'] });
});
