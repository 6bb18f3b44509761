import { findPackageJSON, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownValue } from '@unroll/engine';
import type { MissingExtra } from './extras.ts';
import { modelProviders } from './model-providers.ts';

/** A package that a connection names, as far as it is known which version is meant. */
export interface NamedPackage {
  /** As it is imported: `@ai-sdk/anthropic`. */
  readonly name: string;
  /** As it is installed: `@ai-sdk/anthropic@4`. */
  readonly pinned: string;
}

/** The package behind a connection to a provider of the AI SDK, or to a model in a file; undefined where it needs none. */
export function providerPackage({
  type,
  configs,
}: {
  readonly type: string;
  readonly configs: Readonly<Record<string, string>>;
}): NamedPackage | undefined {
  if (type === 'llama_cpp') return { name: 'node-llama-cpp', pinned: 'node-llama-cpp@3' };
  const { package: named = '' } = configs;
  if (named !== '') return { name: named, pinned: packageOf(named) };
  const pinned = ownValue(modelProviders, type)?.pinned;
  return pinned === undefined ? undefined : { name: pinned.slice(0, pinned.lastIndexOf('@')), pinned };
}

/** `@ai-sdk/google-vertex/anthropic` is of `@ai-sdk/google-vertex`. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** Whether a name is that of a package: no path, no address, no part of Node. */
export function isPackageName(name: string): boolean {
  return /^(@[\w-][\w.-]*\/)?[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(name) && !isBuiltin(name);
}

/** Where packages are looked for, nearest first: beside the flow and the like, then where we are installed ourselves. */
export function packagePlaces(folders: readonly string[], ours: string = import.meta.filename): readonly string[] {
  return [...folders.map((folder) => join(folder, 'package.json')), ours];
}

/** What is missing of what a connection to a provider needs. @param ours the file beside which we are installed */
export function missingProvider(
  connection: { readonly type: string; readonly configs: Readonly<Record<string, string>> },
  folders: readonly string[],
  ours?: string,
): MissingExtra | undefined {
  const needed = providerPackage(connection);
  if (needed === undefined || !isPackageName(needed.name)) return undefined;
  const name = packageOf(needed.name);
  if (packagePlaces(folders, ours).some((place) => isInstalledAt(name, place))) return undefined;
  return {
    message: `a connection of type ${connection.type} needs ${name}, which is not installed`,
    install: `npm install ${needed.pinned}`,
  };
}

function isInstalledAt(name: string, place: string): boolean {
  try {
    return findPackageJSON(name, pathToFileURL(place).href) !== undefined;
  } catch {
    return false;
  }
}
