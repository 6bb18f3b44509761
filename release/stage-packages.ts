import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const libraries = ['engine', 'nodes', 'promptflow', 'evals', 'project', 'server'] as const;

/** Files beside the sources that run with them. The compiler was seen to leave out the JSON that a module imports. */
const assets: Readonly<Record<string, readonly string[]>> = {
  nodes: ['python/worker'],
  project: ['prices/prices.json'],
  promptflow: ['python/modules'],
  server: ['http/page'],
};

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Installed by those who need them, all of them optional. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
}

/**
 * Writes the seven packages as npm takes them, a folder each: the libraries as JavaScript with their types, which Node needs
 * under node_modules; the command line as its bundle, with the libraries it leaves out and those that code of flows imports as
 * dependencies.
 *
 * @param folder made again
 * @returns the names of the folders in it
 */
export function stagePackages(folder: string): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const compiled = join(folder, 'compiled');
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  run(tsc, '-p', join(root, 'release/tsconfig.json'), '--outDir', compiled);
  for (const library of libraries) stageLibrary(library, compiled, folder);
  rmSync(compiled, { recursive: true });
  run(join(root, 'packages/cli/build.ts'), join(folder, 'cli/dist'));
  stageCommandLine(join(folder, 'cli'));
  return [...libraries, 'cli'];
}

function stageLibrary(library: string, compiled: string, folder: string): void {
  const target = join(folder, library);
  cpSync(join(compiled, library, 'src'), join(target, 'dist'), { recursive: true });
  for (const asset of assets[library] ?? [])
    copy(join(root, 'packages', library, 'src', asset), join(target, 'dist', asset));
  const manifest = readManifest(library);
  const exported = Object.entries(manifest.exports).filter(([name]) => isPublished(library, name));
  const exports = Object.fromEntries(exported.map(([name, source]) => [name, compiledExport(source)]));
  writeManifest(target, { ...about(manifest), exports, ...needed(manifest) });
  copy(join(root, 'LICENSE'), join(target, 'LICENSE'));
}

/** What tests of our own packages share stays here; contracts that other people's stores keep to go along. */
function isPublished(library: string, entry: string): boolean {
  return entry !== './testing' || library === 'engine';
}

function compiledExport(source: string): { readonly types: string; readonly default: string } {
  const path = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '');
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

function stageCommandLine(target: string): void {
  const source = join(root, 'packages/cli');
  copy(join(source, 'templates'), join(target, 'templates'));
  copy(join(root, 'schema'), join(target, 'schema'));
  copy(join(root, 'LICENSE'), join(target, 'LICENSE'));
  copy(join(root, 'release/command-line.md'), join(target, 'README.md'));
  const manifest = readManifest('cli');
  writeManifest(target, {
    ...about(manifest),
    bin: { flow: './dist/flow.js' },
    ...needed(manifest),
  });
}

/** Of the packages alone: pnpm brings a Node of its own for the sources, and would warn of the one it runs on itself. */
const engines = { node: '>=22.19' };

const about = ({ name, version }: Manifest): Readonly<Record<string, unknown>> => {
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  return { name, version, type: 'module', license, engines };
};

function needed({ dependencies, peerDependencies, peerDependenciesMeta }: Manifest): Readonly<Record<string, unknown>> {
  const peers =
    peerDependencies === undefined ? {} : { peerDependencies: published(peerDependencies), peerDependenciesMeta };
  return { dependencies: published(dependencies), ...peers };
}

/** Versions as npm reads them: neither a workspace nor a catalog is known there. */
function published(dependencies: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { catalog } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as {
    readonly catalog: Readonly<Record<string, string>>;
  };
  const version = (name: string, written: string): string => {
    if (written === 'workspace:*') return readManifest(name.replace('@unroll/', '')).version;
    const found = written === 'catalog:' ? catalog[name] : written;
    if (found === undefined) throw new Error(`bug: ${name} is in no catalog`);
    return found;
  };
  return Object.fromEntries(Object.entries(dependencies).map(([name, written]) => [name, version(name, written)]));
}

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;
}

function writeManifest(target: string, manifest: Readonly<Record<string, unknown>>): void {
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !path.includes('__pycache__') });
}

function run(...command: readonly string[]): void {
  execFileSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
}
