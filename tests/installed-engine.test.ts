import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freshDatabase } from '../packages/queue/src/testing/index.ts';
import { type InstalledProject, installPackages } from './installed/install-packages.ts';

let project: InstalledProject;
/** A home elsewhere, in which workers unpack flows: no folder above it has packages. */
let home: string;

beforeAll(() => {
  project = installPackages(inject('packedPackages'), 'with peers');
  home = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-home-')));
});
afterAll(() => {
  for (const folder of [project.folder, home]) rmSync(folder, { recursive: true, force: true });
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project.folder, file)), { recursive: true });
  writeFileSync(join(project.folder, file), text);
}

/** A flow whose node is written with a library of ours, and which a worker unpacks where no such library is installed. */
function writeFlow(): void {
  write(
    'search/flow.dag.yaml',
    `inputs: {q: {type: string}}
outputs: {found: {type: string, reference: "\${find.output}"}}
nodes:
- {name: find, type: python, source: {type: code, path: find.ts}, inputs: {q: "\${inputs.q}"}}
`,
  );
  write(
    'search/find.ts',
    `import { join } from 'node:path';
import { openIndex } from '@unroll/nodes/lookup';
export const find = ({ q }: { q: string }) => openIndex(join(import.meta.dirname, 'faq.jsonl')).search(q, { topK: 1 })[0]?.text;
`,
  );
  write('search/faq.jsonl', '{"id": "1", "text": "apples are red"}\n{"id": "2", "text": "pears are green"}\n');
  write('questions.jsonl', '{"q": "apples"}\n{"q": "pears"}\n');
}

test('what is installed runs rows on a worker as in process: nothing differs, and nothing runs again', {
  timeout: 180_000,
}, async () => {
  await using database = await freshDatabase();
  writeFlow();
  const start = (...argv: readonly string[]) =>
    spawn(process.execPath, [project.flow, ...argv], {
      cwd: project.folder,
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const flow = async (...argv: readonly string[]): Promise<string> => {
    const child = start(...argv);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    const [code] = await once(child, 'close');
    expect({ argv, code, said: code === 0 ? '' : said }).toEqual({ argv, code: 0, said: '' });
    return said;
  };
  await flow('engine', 'init', database.url);
  const worker = start('worker', '--engine', database.url);
  const ended = once(worker, 'close');
  const run = ['run', 'search', '--data', 'questions.jsonl', '--quiet', '--name'];
  await flow(...run, 'here');
  await flow(...run, 'there', '--engine', database.url);
  worker.kill('SIGTERM');
  await ended;
  const told = JSON.parse(await flow('diff', 'here', 'there', '--json')) as unknown;
  expect(told).toMatchObject({
    verdict: 'The same in 2 rows: every node, every output.',
    nodes: [{ changed_parts: [] }],
  });
  const again = await flow(...run, 'again', '--since', 'there', '--json');
  expect(JSON.parse(again.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ nodes: { find: { cached: 2 } } });
});
