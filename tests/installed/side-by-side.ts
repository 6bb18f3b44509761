import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestWorld, type Said } from '../../packages/cli/src/testing/test-io.ts';
import type { InstalledProject } from './install-packages.ts';

const root = join(import.meta.dirname, '../..');

/** The same folders twice, in which the same commands are run: by the sources, in this process, and by the installed packages. */
export interface SideBySide {
  readonly folders: readonly [sources: string, installed: string];
  /** What both print, one after the other, with what is different in every run left out. Refused where either fails. */
  run(...argv: readonly string[]): Promise<readonly [sources: unknown, installed: unknown]>;
  /** The bytes of a file that both have written. */
  read(file: string): readonly [sources: Buffer, installed: Buffer];
}

export function openSideBySide({ folder, flow }: InstalledProject): SideBySide {
  const [sources, installed] = [join(folder, 'by-sources'), join(folder, 'by-packages')];
  for (const side of [sources, installed]) {
    mkdirSync(side);
    for (const copied of ['flows', 'evals', 'schema']) {
      cpSync(join(root, copied), join(side, copied), {
        recursive: true,
        filter: (path) => !/[\\/](\.flow|__pycache__)$/.test(path),
      });
    }
  }
  const world = createTestWorld({ folder: sources, environment: environmentIn(sources) });
  return {
    folders: [sources, installed],
    run: (...argv) =>
      Promise.all([
        world.flow(...argv).then((said) => printed(said, sources, argv)),
        startInstalled(flow, installed, argv).then((said) => printed(said, installed, argv)),
      ]),
    read: (file) => [readFileSync(join(sources, file)), readFileSync(join(installed, file))],
  };
}

const environmentIn = (folder: string): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  HOME: folder,
  NO_COLOR: '1',
});

function startInstalled(flow: string, folder: string, argv: readonly string[]): Promise<Said> {
  const child = spawn(process.execPath, [flow, ...argv], {
    cwd: folder,
    env: environmentIn(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? 1, ...said })));
}

function printed({ code, stdout, stderr }: Said, folder: string, argv: readonly string[]): unknown {
  if (code !== 0) throw new Error(`flow ${argv.join(' ')} in ${folder} ended with ${code}\n${stderr}${stdout}`);
  return comparable(stdout.replaceAll(folder, '…'));
}

/** Times, and what a run is called. */
const ofThisRun = /^(started_?at|ended_?at|latency_?ms|duration_?ms|p50_ms|p95_ms|run_id|record)$/i;

function comparable(text: string): unknown {
  try {
    return JSON.parse(text, withoutOwn);
  } catch {
    const lines = text.trim().split('\n');
    return lines.map((line) => (line.startsWith('{') ? JSON.parse(line, withoutOwn) : line));
  }
}

const withoutOwn = (key: string, value: unknown): unknown => (ofThisRun.test(key) ? undefined : value);
