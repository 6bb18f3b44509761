import { isBuiltin } from 'node:module';
import { join } from 'node:path/posix';
import { blankScript } from './blank-script.ts';
import { importsOfModule } from './imports-of-module.ts';

/** What a file of a folder imports that does not lie there. */
interface ImportFromElsewhere {
  /** In the folder. */
  readonly path: string;
  /** As it is written: `../../src/orders.ts`, `zod/v4`. */
  readonly name: string;
  /** Of the package; undefined of a file. */
  readonly packageName: string | undefined;
}

/**
 * What code of a folder imports, whenever it is loaded, that does not lie there: files outside of it, and packages but for ours, each once.
 *
 * @param files texts by path in the folder
 */
export function importsFromElsewhere(files: ReadonlyMap<string, string>): readonly ImportFromElsewhere[] {
  const all = [...files].filter(([path]) => isLoaded(path)).flatMap(([path, text]) => ofFile(path, text));
  const byName = Map.groupBy(all, ({ packageName, path, name }) => packageName ?? `${path} ${name}`);
  return [...byName.values()].flatMap(([first]) => first ?? []);
}

function ofFile(path: string, text: string): readonly ImportFromElsewhere[] {
  const followed = importsOfModule(text, blankScript(text)).filter(({ isStatement }) => isStatement);
  return followed.flatMap(({ name }) => fromElsewhere(path, name) ?? []);
}

/** Tests and descriptions of types are there for those who write the code. */
function isLoaded(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path) && !/\.(?:test|spec|d)\.[cm]?[jt]s$/.test(path);
}

function fromElsewhere(path: string, name: string): ImportFromElsewhere | undefined {
  if (/^\.{1,2}\//.test(name)) {
    return join(path, '..', name).startsWith('../') ? { path, name, packageName: undefined } : undefined;
  }
  if (/^[#/]|:/.test(name) || isBuiltin(name) || name.startsWith('@unroll/')) return undefined;
  const [first = '', second = ''] = name.split('/');
  return { path, name, packageName: first.startsWith('@') ? `${first}/${second}` : first };
}
