import { AsyncLocalStorage } from 'node:async_hooks';
import { isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Modules of the user's that stand behind a call; none where that cannot be told; undefined where it is our own call. */
export type Callers = readonly string[] | undefined;

const running = new AsyncLocalStorage<string>();

/** Runs code of the user's; what it starts belongs to `module` where no module is on the stack any more. */
export function duringCallOf<T>(module: string, run: () => T): T {
  return running.run(module, run);
}

/** Folders whose files are no code of the user's. */
const ownFolders = import.meta.url.endsWith('.ts')
  ? [
      fileURLToPath(new URL('../', import.meta.url)),
      fileURLToPath(new URL('../', import.meta.resolve('@unroll/engine/values'))),
    ]
  : [fileURLToPath(new URL('./', import.meta.url))];
/** Our packages where they are installed, wherever that is: what they read, they read for who called them. */
const ownPackages: ReadonlySet<string> = new Set(
  ['engine', 'nodes', 'promptflow', 'evals', 'project', 'cli'].map((name) => `@unroll${sep}${name}`),
);
const deepest = 50;

/**
 * Who called a function that stands in the place of one of Node's: the files of the user's on the stack, the packages within
 * the innermost of them, and the node whose call it is. Who imports one of them takes over what it read.
 *
 * @param called the function; the stack above it is left out
 */
export function callersOf(called: (...given: never[]) => unknown): Callers {
  // Most calls are of Node's own loader, hundreds for a package: one frame tells.
  if (isNodes(stackOf(called, 1)[0])) return undefined;
  const files = stackOf(called, deepest);
  const modules = files.flatMap((file) => (file === undefined || file.startsWith('node:') ? [] : [moduleOf(file)]));
  const found = modules.filter((module) => module !== undefined && isPlace(module)) as readonly string[];
  const at = found.findIndex((module) => !isPackage(module));
  const users = at === -1 ? [] : found.slice(at).filter((module) => !isPackage(module));
  const entry = running.getStore();
  if (found.length === 0 && entry === undefined) return modules.includes(undefined) ? undefined : [];
  const packages = at === -1 ? found : found.slice(0, at);
  return [...new Set([...packages, ...users, ...(entry === undefined ? [] : [entry])])];
}

/** Our own door to SQLite: it looks at a file before it opens it as an index, so that the file is seen. */
const indexDoor = /[\\/]embedded-index[\\/]index-database\.[jt]s$/;

/** Whether it is our own library that opens an index for code of the user's. */
export function isIndexOpened(called: (...given: never[]) => unknown): boolean {
  return indexDoor.test(stackOf(called, 1)[0] ?? '');
}

/** What is evaluated may have any name: who evaluates it stands behind it on the stack. */
function isPlace(module: string): boolean {
  return isAbsolute(module) || module.startsWith('data:');
}

/** Node's own loader and the rest of a function that was seen already. */
function isNodes(file: string | undefined): boolean {
  return file !== undefined && /^node:(?:fs$|child_process$|internal\/(?!util$|util\/promisify|promisify))/.test(file);
}

/** Name of the module that a file is of: its path, that of its package's folder, or undefined where it is our own. */
export function moduleOf(file: string): string | undefined {
  if (!file.startsWith('file:')) return file.startsWith('/') || /^[A-Za-z]:[\\/]/.test(file) ? moduleAt(file) : file;
  return moduleAt(fileURLToPath(file.replace(/[?#].*$/, '')));
}

function moduleAt(path: string): string | undefined {
  if (ownFolders.some((folder) => path.startsWith(folder))) return undefined;
  const at = path.lastIndexOf(`${sep}node_modules${sep}`);
  if (at === -1) return path;
  const inner = path.slice(at + 14).split(sep);
  const name = inner.slice(0, inner[0]?.startsWith('@') ? 2 : 1).join(sep);
  return ownPackages.has(name) ? undefined : path.slice(0, at + 14) + name;
}

export function isPackage(module: string): boolean {
  return module.includes(`${sep}node_modules${sep}`);
}

function stackOf(called: (...given: never[]) => unknown, frames: number): readonly (string | undefined)[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = frames;
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? undefined);
    Error.captureStackTrace(holder, called);
    return holder.stack as readonly (string | undefined)[];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}
