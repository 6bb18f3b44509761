import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openProject } from './open-project.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-changed-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a run whose data was cut short while it read them did not complete', async () => {
  mkdirSync(join(folder, 'say'));
  writeFileSync(
    join(folder, 'say/flow.dag.yaml'),
    `inputs: { q: { type: string } }
outputs: { said: { type: string, reference: "$\{say.output}" } }
nodes:
  - { name: say, type: prompt, source: { type: code, path: say.jinja2 }, inputs: { q: "$\{inputs.q}" } }
`,
  );
  writeFileSync(join(folder, 'say/say.jinja2'), '{{ q }}');
  const data = join(folder, 'q.jsonl');
  writeFileSync(data, `${JSON.stringify({ q: 'word '.repeat(100) })}\n`.repeat(4000));
  const project = openProject(folder);
  const run = project.runDataset('say', { data, concurrency: 1, name: 'cut' });
  const warnings: string[] = [];
  for await (const event of run) {
    if (event.type === 'row-ended' && event.row.line === 0) writeFileSync(data, '');
    if (event.type === 'notice' && event.notice.kind === 'warning') warnings.push(event.notice.message);
  }
  const { status, result } = await run.result;
  expect(status).toBe('Canceled');
  expect(result.rows).toBeLessThan(4000);
  expect(warnings).toEqual([
    `${data} changed while the run read it: it had 4000 rows before the first ran, and ${result.rows} were read`,
  ]);
});
