import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openProject } from './open-project.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-throwing-reporter-'));
afterAll(() => rmSync(folder, { recursive: true }));

mkdirSync(join(folder, 'say'));
writeFileSync(
  join(folder, 'say/flow.dag.yaml'),
  `inputs: { q: { type: string } }
outputs: { said: { type: object, reference: "$\{say.output}" } }
nodes:
  - { name: say, type: python, source: { type: code, path: say.ts }, inputs: { q: "$\{inputs.q}" } }
`,
);
writeFileSync(join(folder, 'say/say.ts'), 'export default async ({ q }) => ({ q, list: [1] });');
writeFileSync(join(folder, 'q.jsonl'), '{"q": "one"}\n{"q": "two"}\n');

const types = ['run-started', 'row-started', 'node-started', 'node-ended', 'row-ended', 'rows-ended', 'run-ended'];

test.for(types)('what a reporter throws at a %s is what a run ends with, and the process goes on', async (type) => {
  const project = () => {
    let hasThrown = false;
    return openProject(folder, {
      environment: {},
      reporter: (event) => {
        if (event.type !== type || hasThrown) return;
        hasThrown = true;
        throw new Error(`no ${type}, please`);
      },
    });
  };
  await expect(project().runRow('say', { q: 'one' }).result).rejects.toThrow(`no ${type}, please`);
  await expect(project().runDataset('say', { data: 'q.jsonl' }).result).rejects.toThrow(`no ${type}, please`);
});

test.for(types)('what an async reporter is rejected with at a %s ends the run too', async (type) => {
  const project = () =>
    openProject(folder, {
      environment: {},
      reporter: async (event) => {
        if (event.type === type) throw new Error(`no ${type}, please`);
      },
    });
  await expect(project().runRow('say', { q: 'one' }).result).rejects.toThrow(`no ${type}, please`);
  await expect(project().runDataset('say', { data: 'q.jsonl' }).result).rejects.toThrow(`no ${type}, please`);
});

test('what a listener changes in an event is changed for nobody else', async () => {
  const change = (value: object): void => {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'object' && member !== null) change(member);
      else Object.assign(value, { [name]: 'changed' });
    }
  };
  const heard: string[] = [];
  const project = openProject(folder, { environment: {}, reporter: change });
  const row = project.runRow('say', { q: 'one' });
  for await (const event of row) {
    heard.push(event.type);
    if (event.type === 'node-ended') expect(event.run.output).toEqual({ q: 'one', list: [1] });
    change(event);
  }
  expect(heard).toContain('run-ended');
  const { row: ended, record } = await row.result;
  const outputs = { said: { q: 'one', list: [1] } };
  expect([ended.status, ended.outputs]).toEqual(['Completed', outputs]);
  const rows = await Array.fromAsync(project.export(record?.id));
  expect(rows.join('')).toContain(JSON.stringify(outputs).slice(1, -1));
});
