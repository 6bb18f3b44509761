import { dirname, join } from 'node:path/posix';
import type { FlowFiles, SourceFile } from '@unroll/engine';

const imports = /^[ \t]*(?:from[ \t]+([\p{L}\p{N}_.]*)[ \t]+import[ \t]+(.+)|import[ \t]+(.+))$/gmu;

/** A Python file, and the modules of the flow's folder that it imports, directly or not. */
export function moduleFiles(path: string, files: FlowFiles): readonly SourceFile[] {
  const found = new Map<string, SourceFile>();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const file = found.has(next) ? undefined : files.read(next);
    if (file === undefined) continue;
    found.set(next, file);
    waiting.push(...modulesIn(file.text, dirname(next)).flatMap(filesOf));
  }
  return [...found.values()];
}

/** Where the modules may lie that a text imports; a name that is imported may be one too. */
function modulesIn(text: string, folder: string): readonly string[] {
  return [...text.matchAll(imports)].flatMap(([, from, names = '', plain = '']) => {
    if (from === undefined) return plain.split(',').map((name) => wayOf(name.trim().split(/\s/)[0] ?? '', folder));
    const way = wayOf(from, folder);
    return [way, ...names.split(',').map((name) => join(way, name.trim().split(/\s/)[0] ?? ''))];
  });
}

/** Where a module may lie that a file imports, relative to the flow's folder. */
export function modulePaths(module: string, importer: string): readonly string[] {
  return filesOf(wayOf(module, dirname(importer)));
}

function filesOf(way: string): readonly string[] {
  return [`${way}.py`, `${way}/__init__.py`];
}

/** `a.b` lies in the flow's folder, `.b` beside the file that imports it, `..b` a folder above. */
function wayOf(module: string, folder: string): string {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const way = module.slice(dots).replaceAll('.', '/');
  return dots === 0 ? way : join(folder, ...Array<string>(dots - 1).fill('..'), way);
}
