import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redactor } from '@unroll/engine';
import { type Project, type ProjectHost, projectOn } from '@unroll/project';
import { Studio } from '@unroll/project/studio';
import { type StudioServer, startStudio } from '../http/start-studio.ts';

/** `halve` halves even numbers, fails on 3, and says what it was told. */
const files: Readonly<Record<string, string>> = {
  'halve/flow.dag.yaml': `inputs:
  n: {type: int}
  said: {type: string}
outputs:
  half: {type: object, reference: "\${halve.output}"}
nodes:
- {name: halve, type: python, source: {type: code, path: halve.mjs}, inputs: {n: "\${inputs.n}", said: "\${inputs.said}"}}
`,
  'halve/halve.mjs': `export function halve({ n, said }) {
  if (n === 3) throw new RangeError('no half of 3');
  return { half: n / 2, said };
}
`,
  'halve/rows.jsonl': [
    { n: 2, said: '<script>alert(1)</script>' },
    { n: 3, said: 'ａｂｃ' },
    { n: 4, said: '個人情報のお知らせです' },
    { n: 6, said: 'x'.repeat(30_000) },
  ]
    .map((row) => JSON.stringify(row))
    .join('\n'),
  'halve/eval.yaml': `flow: .
data: rows.jsonl
metrics:
  - {name: two, on: outputs.half.half, evaluator: equals, expected: 2, gate: {min: 0.9}}
`,
  'page/index.html': '<!doctype html><title>studio</title>',
  'page/assets/page-1a2b.js': 'export {};',
  'secret.txt': 'not for the page',
};

export interface ViewedWorld extends AsyncDisposable {
  readonly server: StudioServer;
  readonly project: Project;
  readonly studio: Studio;
  /** Absolute. */
  readonly folder: string;
  /** Asks a route below /api/studio/v1 with the token. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Runs `halve` over its data, in this process. */
  run(name: string): Promise<void>;
}

export interface ViewedFolder {
  readonly isReadOnly?: boolean;
  /** Texts by their paths, beside those of `halve`. */
  readonly more?: Readonly<Record<string, string>>;
}

/** A studio that listens, on a folder of the test. */
export async function viewFolder({ isReadOnly = false, more = {} }: ViewedFolder = {}): Promise<ViewedWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-view-')));
  for (const [path, text] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const host: ProjectHost = {
    folder,
    environment: {},
    redactor: new Redactor(),
    runsFolder: join(folder, 'runs'),
    now: Date.now,
    steadyNow: () => performance.now(),
    randomText: () => Math.random().toString(36).slice(2, 6).padEnd(4, '0'),
    stdin: async function* () {},
    report: () => undefined,
  };
  const project = projectOn(host);
  const studio = new Studio(host, { isReadOnly, opened: [] });
  const server = await startStudio(studio, {
    host: '127.0.0.1',
    port: 0,
    isReadOnly,
    pageFolder: join(folder, 'page'),
  });
  return {
    ...{ server, project, studio, folder },
    ask: (path, init = {}) => {
      const headers = { authorization: `Bearer ${server.token}`, ...init.headers };
      return fetch(`${server.url}/api/studio/v1/${path}`, { ...init, headers });
    },
    run: async (name) => {
      await project.runDataset('halve', { data: 'halve/rows.jsonl', name }).result;
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await studio[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
