import type { FlowFiles } from '../node/node-type.ts';
import type { SourceFile } from '../source/source-file.ts';

/** The same files, each looked for and read once: thousands of nodes may fill one template, and one check sees one state of the disk. */
export function readOnce(files: FlowFiles): FlowFiles {
  const sources = new Map<string, SourceFile | undefined>();
  const paths = new Map<string, string | undefined>();
  let names: readonly string[] | undefined;
  return {
    folder: files.folder,
    read: (path) => remembered(sources, path, files.read),
    resolve: (path) => remembered(paths, path, files.resolve),
    list: () => {
      names ??= files.list();
      return names;
    },
  };
}

function remembered<T>(known: Map<string, T>, path: string, find: (path: string) => T): T {
  const before = known.get(path);
  if (before !== undefined || known.has(path)) return before as T;
  const found = find(path);
  known.set(path, found);
  return found;
}
