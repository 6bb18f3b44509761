import { basename, dirname } from 'node:path';
import { isPackage, moduleOf } from './callers.ts';

/** Packages whose native code works on what it is given and opens no file; what others open cannot be seen. */
const readsNothing =
  /^(?:bcrypt|bufferutil|utf-8-validate|re2|snappy|tree-sitter(?:-.+)?|(?:@node-rs\/|@napi-rs\/snappy-|@cbor-extract\/|@msgpackr-extract\/).+)$/;

/** An addon that may read what nobody sees: the module it is of, and what to say of it. */
export interface BlindAddon {
  readonly module: string;
  readonly what: string;
}

/** @param file what `process.dlopen` is asked to load; undefined is the answer where the addon reads nothing by itself */
export function blindAddon(file: unknown): BlindAddon | undefined {
  if (typeof file !== 'string') return undefined;
  const module = moduleOf(file);
  if (module === undefined) return undefined;
  if (!isPackage(module)) return { module, what: `native addon ${basename(module)}` };
  const scope = basename(dirname(module));
  const name = scope.startsWith('@') ? `${scope}/${basename(module)}` : basename(module);
  return readsNothing.test(name) ? undefined : { module, what: `native addon of ${name}` };
}
