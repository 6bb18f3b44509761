import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { FlowFiles } from '../node/node-type.ts';
import { createFlowFiles } from './flow-files.ts';
import type { Includes } from './included-files.ts';
import { zipFolder } from './zip-folder.ts';

/** Large, and the same for every copy: linked to, so that the copy finds its Python and its packages. Windows lets anybody make junctions. */
const linked = ['.venv', 'node_modules', '.flow'];
const leftOut = ['.git', '.promptflow', '__pycache__'];

/** A copy of a flow's folder with what it includes, in a temporary folder. */
export interface StagedFlow extends Disposable {
  /** Its files: code finds them in the copy, messages show where they really are. */
  readonly files: FlowFiles;
}

/** So that code which looks for files beside itself finds those included. Disposing removes the copy. */
export function stageFlow(files: FlowFiles, { files: included, archives }: Includes): StagedFlow {
  const root = mkdtempSync(join(tmpdir(), 'flow-'));
  const folder = join(belowPackages(root, files.folder), basename(files.folder));
  const { readImported: _, ...own } = files;
  try {
    mkdirSync(folder);
    copyOwn(files.folder, folder);
    for (const [way, from] of included) cpSync(from, join(folder, way), { recursive: true });
    for (const [way, from] of archives) writeFileSync(join(folder, way), zipFolder(from));
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
  return {
    files: { ...own, folder, resolve: createFlowFiles(folder, folder).resolve },
    [Symbol.dispose]: () => removeCopy(root),
  };
}

/** Windows removes no folder in which a program is at work, as one that code of a node started may be: then it stays. */
function removeCopy(root: string): void {
  try {
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}

/** A folder below as many as have packages above the flow, each with a link to them: code finds there what it finds where the flow lies. */
function belowPackages(root: string, flow: string): string {
  const above: string[] = [];
  for (let at = dirname(flow); at !== dirname(at); at = dirname(at)) above.push(join(at, 'node_modules'));
  return above
    .filter((packages) => existsSync(packages))
    .reduceRight((folder, packages) => {
      symlinkSync(packages, join(folder, 'node_modules'), 'junction');
      const below = join(folder, 'below');
      mkdirSync(below);
      return below;
    }, root);
}

/** A link that leads nowhere, as editors lock files with, stays behind. */
function copyOwn(from: string, to: string): void {
  for (const name of readdirSync(from).filter((one) => isCopied(join(from, one)))) {
    if (linked.includes(name)) symlinkSync(join(from, name), join(to, name), 'junction');
    else if (existsSync(join(from, name)))
      cpSync(join(from, name), join(to, name), { recursive: true, filter: isCopied });
  }
}

/** Pipes, sockets and devices are no part of a flow, nor is what has a name that is no text. */
function isCopied(path: string): boolean {
  if (leftOut.includes(basename(path))) return false;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || stats.isDirectory() || stats.isSymbolicLink());
}
