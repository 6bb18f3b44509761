import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { stagePackages } from '../../release/stage-packages.ts';

/** The packages, as `pnpm packages` packs it. */
export interface PackedPackages {
  readonly folder: string;
  /** By the names of the packages. */
  readonly tarballs: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly packedPackages: PackedPackages;
  }
}

const names = ['engine', 'nodes', 'promptflow', 'evals', 'project', 'server', 'cli'] as const;

/** Packs the packages as npm would publish them, once for all tests that install them. */
export function setup({ provide }: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-packed-')));
  stagePackages(folder);
  const argv = ['pack', '--silent', ...names.map((name) => `./${name}`)];
  const packed = execFileSync('npm', argv, { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  const tarballs = Object.fromEntries(names.map((name, at) => [name, join(folder, packed[at] ?? '')]));
  provide('packedPackages', { folder, tarballs });
  return () => rmSync(folder, { recursive: true, force: true });
}
