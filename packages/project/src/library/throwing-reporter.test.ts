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
outputs: { said: { type: string, reference: "$\{say.output}" } }
nodes:
  - { name: say, type: python, source: { type: code, path: say.ts }, inputs: { q: "$\{inputs.q}" } }
`,
);
writeFileSync(join(folder, 'say/say.ts'), 'export default async ({ q }) => q;');
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
