import type { Diagnostic, FlowFiles, SourceFile } from '@unroll/engine';
import { unseenDiagnostic } from '../code/unseen-imports.ts';
import { blankPython } from './blank-python.ts';
import { moduleFiles } from './module-texts.ts';

interface Way {
  readonly what: string;
  /** Functions and classes through which code gets at it. */
  readonly names: string;
}

const requests = 'get post put patch delete head options request stream';

/** Modules of Python, and widely used packages, through which code gets at what nobody can compare. */
const ways: Readonly<Record<string, Way>> = {
  subprocess: { what: 'child process', names: 'Popen run call check_call check_output getoutput getstatusoutput' },
  os: { what: 'child process', names: 'system popen fork forkpty posix_spawn posix_spawnp' },
  pty: { what: 'child process', names: 'spawn fork' },
  multiprocessing: { what: 'child process', names: 'Process Pool Manager' },
  'concurrent.futures': { what: 'child process', names: 'ProcessPoolExecutor' },
  socket: { what: 'network', names: 'socket create_connection getaddrinfo gethostbyname gethostbyaddr' },
  'urllib.request': { what: 'network', names: 'urlopen urlretrieve' },
  'http.client': { what: 'network', names: 'HTTPConnection HTTPSConnection' },
  requests: { what: 'network', names: `${requests} Session` },
  httpx: { what: 'network', names: `${requests} Client AsyncClient` },
  aiohttp: { what: 'network', names: 'ClientSession request' },
  sqlite3: { what: 'database', names: 'connect' },
  dbm: { what: 'database', names: 'open' },
  'dbm.gnu': { what: 'database', names: 'open' },
  'dbm.ndbm': { what: 'database', names: 'open' },
  ctypes: { what: 'native code', names: 'CDLL PyDLL cdll pydll' },
};

const imports = /^([ \t]*)(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n;]+)|import[ \t]+([^\n;]+))/gm;

/**
 * Where a Python file of a flow, or a module of the flow that it imports, gets at what a run cannot see: at the import,
 * where the file also names a function that leads there.
 */
export function unseenModules(path: string, files: FlowFiles): readonly Diagnostic[] {
  return moduleFiles(path, files).flatMap((file) => {
    const blank = blankPython(file.text);
    return [...blank.matchAll(imports)].flatMap((found) => {
      const [whole, indent = '', from, names = '', plain = ''] = found;
      const whats = from === undefined ? plainImports(plain, blank) : namedImports(from, names, blank);
      return [...new Set(whats)].map((what) => at(file, what, found.index + indent.length, found.index + whole.length));
    });
  });
}

function at(file: SourceFile, what: string, start: number, end: number): Diagnostic {
  return unseenDiagnostic(what, file, start, start + file.text.slice(start, end).trimEnd().length);
}

/** `import subprocess as s, urllib.request` */
function plainImports(written: string, blank: string): readonly string[] {
  return written.split(',').flatMap((part) => {
    const [module = '', , alias] = part.trim().split(/\s+/);
    return usedOf(module, alias ?? module, blank);
  });
}

/** `from subprocess import run`, `from urllib import request` */
function namedImports(from: string, written: string, blank: string): readonly string[] {
  const parts = written.replace(/[()]/g, '').split(',');
  return parts.flatMap((part) => {
    const [name = '', , alias = name] = part.trim().split(/\s+/);
    const way = ways[from];
    const isNamed = way !== undefined && (name === '*' || way.names.split(' ').includes(name));
    return isNamed ? [way.what] : usedOf(`${from}.${name}`, alias, blank);
  });
}

function usedOf(module: string, name: string, blank: string): readonly string[] {
  const way = ways[module];
  if (way === undefined) return [];
  const dotted = name.replaceAll('.', '\\s*\\.\\s*');
  return new RegExp(`(?<![\\w.])${dotted}\\s*\\.\\s*(?:${way.names.replaceAll(' ', '|')})\\b`).test(blank)
    ? [way.what]
    : [];
}
