import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What an installed project takes, and what it takes it for. */
export interface InstalledWeight {
  /** Folders of packages, each once. */
  readonly packages: readonly string[];
  /** 1,048,576 bytes each, files rounded up to the 4 KiB that they take on a disk. */
  readonly megabytes: number;
}

/** Packages in `node_modules/@unroll` with all that they depend on, as npm would install it; optional peers do not count. */
export function installedWeight(folder: string, names: readonly string[]): InstalledWeight {
  const scope = join(folder, 'node_modules/@unroll');
  const waiting = names.map((name) => join(scope, name));
  const found = new Set(waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of dependenciesOf(next)) {
      const dependency = findPackage(name, next);
      if (found.has(dependency)) continue;
      found.add(dependency);
      waiting.push(dependency);
    }
  }
  const blocks = [...found].reduce((sum, each) => sum + blocksIn(each), 0);
  return { packages: [...found], megabytes: blocks / 256 };
}

function dependenciesOf(folder: string): readonly string[] {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** As Node looks for it from a folder; here or in the folder of packages in which that lies. */
function findPackage(name: string, from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
  }
  throw new Error(`${name}, which ${from} depends on, is not there`);
}

/** Of 4 KiB; links into the workspace and what lies below them are counted where they lead. */
function blocksIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + 1 + blocksIn(path);
    return entry.isFile() ? sum + Math.ceil(statSync(path).size / 4096) : sum;
  }, 0);
}
