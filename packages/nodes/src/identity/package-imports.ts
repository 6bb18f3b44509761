import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { type FlowScope, type JsonObject, ScopeSlot, textHash } from '@unroll/engine';
import { contentDigest } from './file-digest.ts';

/** What of a `package.json` says what a package is and needs. */
interface Manifest {
  readonly version?: string;
  readonly dependencies?: JsonObject;
  readonly optionalDependencies?: JsonObject;
  readonly peerDependencies?: JsonObject;
}

interface FoundPackage {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Finds packages and looks into each once: for a flow that is made ready, while which none changes. */
export interface PackageLookup {
  /**
   * What stands for an installed package: its version, with those of all it depends on; of a linked folder, which is code
   * of the user's, what it holds; of the packages of flow itself their version, as of the node types it comes with: where
   * the importing file finds none, of the one that its modules are given (code/flow-module-hooks.ts).
   *
   * @param from absolute folder of the importing file
   */
  identityOf(specifier: string, from: string): { readonly name: string; readonly identity: string } | undefined;
}

export function createPackageLookup(): PackageLookup {
  const installed = new Map<string, FoundPackage | undefined>();
  const versions = new Map<string, string>();
  const find = (name: string, from: string): FoundPackage | undefined => {
    const key = `${from}\0${name}`;
    if (!installed.has(key)) installed.set(key, installedAt(name, from) ?? above(name, from));
    return installed.get(key);
  };
  const above = (name: string, from: string) => (from === dirname(from) ? undefined : find(name, dirname(from)));
  const versionOf = (found: FoundPackage): string => {
    const version = versions.get(found.folder) ?? writtenVersion(found);
    versions.set(found.folder, version);
    return version;
  };
  const addDependencies = (of: FoundPackage, known: Map<string, string>): void => {
    for (const name of dependenciesOf(of)) {
      const found = find(name, of.folder);
      if (found === undefined || known.has(found.folder)) continue;
      known.set(found.folder, `${name} ${versionOf(found)}`);
      addDependencies(found, known);
    }
  };
  const identityOf: PackageLookup['identityOf'] = (specifier, from) => {
    const name = packageName(specifier);
    const isOurs = name.startsWith('@unroll/');
    const found = find(name, from) ?? (isOurs ? ownPackage(name) : undefined);
    if (found === undefined) return undefined;
    if (isOurs) return { name, identity: found.manifest.version ?? '' };
    const others = new Map<string, string>();
    addDependencies(found, others);
    others.delete(found.folder);
    const identity = versionOf(found);
    if (others.size === 0) return { name, identity };
    const digest = textHash([...others.values()].sort().join('\n')).slice(0, 12);
    return { name, identity: `${identity}, with ${others.size} more ${digest}` };
  };
  return { identityOf };
}

const lookup = new ScopeSlot<PackageLookup>('installed packages');

/** One for all nodes of a flow. */
export function packageLookupOf(flow: FlowScope): PackageLookup {
  return flow.kept(lookup, createPackageLookup);
}

function ownPackage(name: string): FoundPackage | undefined {
  try {
    const manifest = findPackageJSON(name, import.meta.url);
    return manifest === undefined ? undefined : readManifest(dirname(manifest));
  } catch {
    return undefined;
  }
}

function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

function dependenciesOf({ manifest }: FoundPackage): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

function writtenVersion({ folder, manifest }: FoundPackage): string {
  const version = manifest.version ?? '';
  const isInstalled = folder.includes(`${sep}node_modules${sep}`);
  return isInstalled && version !== '' ? version : `${version} ${contentDigest(folder) ?? ''}`.trim();
}

function installedAt(name: string, folder: string): FoundPackage | undefined {
  if (basename(folder) === 'node_modules') return undefined;
  const path = join(folder, 'node_modules', name);
  return existsSync(join(path, 'package.json')) ? readManifest(realpathSync.native(path)) : undefined;
}

function readManifest(folder: string): FoundPackage {
  try {
    return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest };
  } catch {
    return { folder, manifest: {} };
  }
}
