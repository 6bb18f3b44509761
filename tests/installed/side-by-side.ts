import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledProject } from './install-packages.ts';

const root = join(import.meta.dirname, '../..');

/** The same folders twice, in which the same commands are run: by the sources here, by the installed packages there. */
export interface SideBySide {
  readonly folders: readonly [sources: string, installed: string];
  /** What both print, one after the other, with what is different in every run left out. Refused where either fails. */
  run(...argv: readonly string[]): Promise<readonly [sources: unknown, installed: unknown]>;
  /** The bytes of a file that both have written. */
  read(file: string): readonly [sources: Buffer, installed: Buffer];
}

export function openSideBySide({ folder, flow }: InstalledProject): SideBySide {
  const sides = [
    { folder: join(folder, 'by-sources'), command: join(root, 'packages/cli/bin/flow.js') },
    { folder: join(folder, 'by-packages'), command: flow },
  ] as const;
  for (const side of sides) {
    mkdirSync(side.folder);
    for (const copied of ['flows', 'evals', 'schema']) {
      cpSync(join(root, copied), join(side.folder, copied), {
        recursive: true,
        filter: (path) => !/[\\/](\.flow|__pycache__)$/.test(path),
      });
    }
  }
  const [sources, installed] = sides;
  return {
    folders: [sources.folder, installed.folder],
    run: (...argv) => Promise.all([printed(sources, argv), printed(installed, argv)]),
    read: (file) => [readFileSync(join(sources.folder, file)), readFileSync(join(installed.folder, file))],
  };
}

async function printed(
  side: { readonly folder: string; readonly command: string },
  argv: readonly string[],
): Promise<unknown> {
  const child = spawn(process.execPath, [side.command, ...argv], {
    cwd: side.folder,
    env: { ...process.env, HOME: side.folder, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await ended(child);
  if (code !== 0) throw new Error(`flow ${argv.join(' ')} in ${side.folder} ended with ${code}\n${stderr}${stdout}`);
  return comparable(stdout.replaceAll(side.folder, '…'));
}

function ended(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })));
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
