import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { main } from '../../packages/cli/src/main.ts';
import { createTestWorld, type Said } from '../../packages/cli/src/testing/test-io.ts';
import type { InstalledProject } from './install-packages.ts';

const root = join(import.meta.dirname, '../..');

/**
 * The same folders twice, in which the same commands are run in this process: by the sources, and by the installed command
 * (which is started as one of its own in packages.test.ts).
 */
export interface SideBySide {
  readonly folders: readonly [sources: string, installed: string];
  /** What both print, one after the other, with what is different in every run left out. Refused where either fails. */
  run(...argv: readonly string[]): Promise<readonly [sources: unknown, installed: unknown]>;
  /** The bytes of a file that both have written. */
  read(file: string): readonly [sources: Buffer, installed: Buffer];
}

export async function openSideBySide({ folder, flow }: InstalledProject): Promise<SideBySide> {
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
  const bundle = (await import(pathToFileURL(join(dirname(flow), 'main.js')).href)) as { readonly main: typeof main };
  const bySources = createTestWorld({ folder: sources, environment: environmentIn(sources) });
  const byPackages = createTestWorld({
    folder: installed,
    environment: environmentIn(installed),
    main: bundle.main,
  });
  return {
    folders: [sources, installed],
    run: async (...argv) => [
      printed(await bySources.flow(...argv), sources, argv),
      printed(await byPackages.flow(...argv), installed, argv),
    ],
    read: (file) => [readFileSync(join(sources, file)), readFileSync(join(installed, file))],
  };
}

const environmentIn = (folder: string): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  HOME: folder,
  NO_COLOR: '1',
});

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
