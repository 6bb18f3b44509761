import { pathToFileURL } from 'node:url';
import { files } from '../observe/content-now.ts';
import { inForm } from './call-form.ts';
import { captureOutput } from './capture-output.ts';
import type { CodeFunction } from './code-function.ts';
import type { CodePlace } from './code-place.ts';
import { describeThrown, usersFrames } from './describe-thrown.ts';
import { registerFlowModuleHooks } from './flow-module-hooks.ts';
import { functionNameOf } from './function-name.ts';
import type { LoadFailure } from './thread-messages.ts';

export type LoadedModule =
  | { readonly ok: true; readonly run: CodeFunction }
  | { readonly ok: false; readonly thrown?: unknown; readonly message?: string };

/**
 * Imports a module and finds its function, as one that is called as a node is. Where none is named it is the node: the
 * default export, else the one named `run` or like the file (`search-faq.ts`: `searchFaq`), else the only function
 * exported. A file that was edited is imported again.
 */
export async function loadModule({ path, form, functionName }: CodePlace): Promise<LoadedModule> {
  const imported = await importModule(path);
  if (!imported.ok) return imported;
  if (functionName === undefined) return findFunction(imported.exported, path);
  const found = findExported(imported.exported, path, functionName);
  return found.ok ? { ok: true, run: inForm(found.run, form) } : found;
}

type ImportedModule =
  | { readonly ok: true; readonly exported: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly thrown: unknown };

/**
 * Imports a file of the user's, again where it was edited; what it prints meanwhile is dropped.
 *
 * @param path absolute
 */
async function importModule(path: string): Promise<ImportedModule> {
  registerFlowModuleHooks();
  try {
    return { ok: true, exported: await captureOutput({ stdout: '', stderr: '' }, () => importFile(path)) };
  } catch (thrown) {
    return { ok: false, thrown };
  }
}

function importFile(path: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(path);
  const { mtimeMs, size } = files.statSync(path);
  url.search = `?edited=${Math.round(mtimeMs * 1000).toString(36)}-${size.toString(36)}`;
  return import(/* @vite-ignore */ url.href) as Promise<Record<string, unknown>>;
}

function findFunction(exported: Readonly<Record<string, unknown>>, path: string): LoadedModule {
  const { default: standard } = exported;
  if (isFunction(standard)) return { ok: true, run: standard };
  const functions = Object.entries(exported).filter(([, value]) => isFunction(value));
  const names = ['run', functionNameOf(path)];
  const named = names.map((name) => exported[name]).find(isFunction);
  const [only] = functions.length === 1 ? functions : [];
  const run = named ?? only?.[1];
  if (isFunction(run)) return { ok: true, run };
  const found = functions.map(([name]) => name).join(', ');
  const what = found === '' ? 'it exports no function' : `it exports ${found}`;
  return {
    ok: false,
    message: `No function found in '${path}': export one as default, or name it "run" or "${names[1]}"; ${what}`,
  };
}

function findExported(exported: Readonly<Record<string, unknown>>, path: string, functionName: string): LoadedModule {
  const run = exported[functionName];
  if (isFunction(run)) return { ok: true, run };
  const names = Object.keys(exported).filter((name) => isFunction(exported[name]));
  const message = `${path} exports no function "${functionName}"; it exports ${names.join(', ') || 'none'}`;
  return { ok: false, message };
}

function isFunction(value: unknown): value is CodeFunction {
  return typeof value === 'function';
}

/** Why a module could not be loaded, as plain data. */
export function loadFailure({ thrown, message }: LoadedModule & { readonly ok: false }, folder: string): LoadFailure {
  const failure = { ok: false as const, cause: describeThrown(thrown), trace: usersFrames(thrown, folder) };
  return message === undefined ? failure : { ...failure, message };
}
