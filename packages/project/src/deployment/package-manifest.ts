import { existsSync, readdirSync } from 'node:fs';
import { isMapping, type JsonObject, type JsonValue, parseJson, thrownText } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { madeWith } from '../host/made-with.ts';
import { ProjectFailure } from '../host/project-failure.ts';

export interface ManifestSettings {
  /** As `flow serve` is given it. */
  readonly served: string;
  /** Absolute folder of packed packages of ours; absent: the registry has them. */
  readonly packages: string | undefined;
  /** What else is installed, as `name@major` or by the name alone; what the flow says of one goes before it. */
  readonly extras: readonly string[];
  /** Text of the flow's own package.json, whose dependencies its code imports. */
  readonly ofFlow: string | undefined;
}

export interface Manifest {
  readonly text: string;
  /** Names of packed packages that go along. */
  readonly packageFiles: readonly string[];
}

/** The package.json of a folder that serves a flow: the version of flow in use, and no other. */
export function manifestOf({ served, packages, extras, ofFlow }: ManifestSettings): Manifest {
  const { version } = madeWith();
  const packageFiles = packages === undefined ? [] : packedIn(packages, version);
  const ours: JsonObject =
    packages === undefined
      ? { '@unroll/cli': version }
      : Object.fromEntries(packageFiles.map((file) => [packedName(file, version), `file:packages/${file}`]));
  const manifest: JsonObject = {
    // Else npm puts the name of the folder into its lock, and an image is made anew for it.
    name: 'served-flow',
    private: true,
    type: 'module',
    engines: { node: '>=22.19' },
    // Double quotes are right in the shell of Windows too, and others only where they must be.
    scripts: { start: `flow serve ${/["$`\\]/.test(served) ? shellWord(served) : JSON.stringify(served)}` },
    dependencies: { ...Object.fromEntries(extras.map(nameAndVersion)), ...dependenciesOf(ofFlow), ...ours },
  };
  return { text: `${JSON.stringify(manifest, null, 2)}\n`, packageFiles };
}

/** Those that the command is made of, of one version. @throws ProjectFailure where they are not all there */
function packedIn(folder: string, version: string): readonly string[] {
  const needed = ['engine', 'nodes', 'evals', 'cli'].map((name) => `unroll-${name}-${version}.tgz`);
  const found = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const missing = needed.filter((file) => !found.has(file));
  if (missing.length === 0) return needed;
  throw new ProjectFailure(`${folder} holds no ${missing.join(', ')}`, {
    help: 'pnpm packages writes them to release/packages.',
  });
}

function packedName(file: string, version: string): string {
  return `@unroll/${file.slice('unroll-'.length, -`-${version}.tgz`.length)}`;
}

function nameAndVersion(pinned: string): readonly [string, string] {
  const at = pinned.lastIndexOf('@');
  return at > 0 ? [pinned.slice(0, at), `^${pinned.slice(at + 1)}`] : [pinned, '*'];
}

/** @throws ProjectFailure where it cannot be read, or npm could not install them beside the built folder's package.json */
function dependenciesOf(ofFlow: string | undefined): JsonObject {
  if (ofFlow === undefined) return {};
  const manifest = jsonOf(ofFlow);
  if (!isMapping(manifest)) throw new ProjectFailure('package.json of the flow must be a mapping');
  const dependencies = manifest['dependencies'] ?? {};
  if (!isMapping(dependencies))
    throw new ProjectFailure('package.json of the flow: dependencies must be a mapping of names to versions');
  for (const [name, version] of Object.entries(dependencies)) requireInstallable(name, version);
  return dependencies;
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ProjectFailure(`package.json of the flow is no JSON: ${thrownText(error)}`);
  }
}

/** Versions that say something only where the flow's own package.json lies: in a workspace, or beside other folders. */
const onlyThere = /^(?:workspace:|catalog:|portal:|link:|file:|\.{0,2}\/|~\/)/;

function requireInstallable(name: string, version: JsonValue): void {
  const of = `package.json of the flow: the dependency ${name}`;
  if (typeof version !== 'string') throw new ProjectFailure(`${of} must have its version as a text`);
  if (!onlyThere.test(version)) return;
  throw new ProjectFailure(`${of} is ${version}, which cannot be installed where the flow is built`, {
    help: 'Write the version that a registry has of it, or move its code into the folder of the flow.',
  });
}
