import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openProject } from './open-project.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-changed-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
const row = `${JSON.stringify({ q: 'word '.repeat(100) })}\n`;

/** Runs over 4000 rows, which change once the first has ended. */
async function runWhile(name: string, change: (data: string) => void) {
  const data = join(folder, `${name}.jsonl`);
  writeFileSync(data, row.repeat(4000));
  const run = openProject(folder).runDataset('say', { data, concurrency: 1, name });
  const warnings: string[] = [];
  for await (const event of run) {
    if (event.type === 'row-ended' && event.row.line === 0) change(data);
    if (event.type === 'notice' && event.notice.kind === 'warning') warnings.push(event.notice.message);
  }
  const { status, result } = await run.result;
  const told = (read: number): string =>
    `${data} changed while the run read it: it had 4000 rows before the first ran, and ${read} were read`;
  return { status, rows: result.rows, warnings, told };
}

test('a run whose data was cut short while it read them did not complete', async () => {
  const { status, rows, warnings, told } = await runWhile('cut', (data) => writeFileSync(data, ''));
  expect(status).toBe('Canceled');
  expect(rows).toBeLessThan(4000);
  expect(warnings).toEqual([told(rows)]);
});

test('a run whose data grew while it read them says so', async () => {
  const { status, rows, warnings, told } = await runWhile('grown', (data) => appendFileSync(data, row.repeat(10)));
  expect({ status, rows }).toEqual({ status: 'Completed', rows: 4010 });
  expect(warnings).toEqual([told(4010)]);
});
