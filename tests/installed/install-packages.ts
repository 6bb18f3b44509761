import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PackedPackages } from './pack-packages.ts';

const root = join(import.meta.dirname, '../..');

/** A folder with the packages installed, and the command in it. */
export interface InstalledProject {
  readonly folder: string;
  /** For `node` to run. */
  readonly flow: string;
  /** Bytes of the tarball of each package. */
  readonly packed: Readonly<Record<string, number>>;
}

/**
 * A project as `npm init -y` and `npm install` of the packed packages leave it, without asking a registry: each package is
 * unpacked from its tarball and finds what its own `package.json` names, linked from this workspace, and nothing else.
 *
 * @param peers whether the optional peers are installed too
 */
export function installPackages({ tarballs }: PackedPackages, peers: 'with peers' | 'without peers'): InstalledProject {
  // The name that Node knows it by, also where the folder for temporary files is a link.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-installed-')));
  for (const [name, tarball] of Object.entries(tarballs)) {
    const target = join(folder, 'node_modules/@unroll', name);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
    linkDependencies(join(root, 'packages', name), target, peers === 'with peers');
  }
  writeFileSync(join(folder, 'package.json'), '{"name": "ours", "type": "commonjs"}\n');
  const sizes = Object.entries(tarballs).map(([name, tarball]) => [name, statSync(tarball).size] as const);
  return { folder, flow: join(folder, 'node_modules/@unroll/cli/dist/flow.js'), packed: Object.fromEntries(sizes) };
}

function linkDependencies(workspacePackage: string, installed: string, withPeers: boolean): void {
  const { dependencies, peerDependencies = {} } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
  };
  const needed = Object.keys({ ...dependencies, ...(withPeers ? peerDependencies : {}) });
  for (const name of needed.filter((name) => !name.startsWith('@unroll/'))) {
    const link = join(installed, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(workspacePackage, 'node_modules', name)), link);
  }
}
