import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseYaml } from '../flow/yaml-document.ts';
import type { FlowFiles } from '../node/node-type.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source-file.ts';
import { createFlowFiles, readSourceFile } from './flow-files.ts';

/** What `additional_includes` lays into a flow's folder. */
export interface Includes {
  /** Absolute path of the original by its path in the flow's folder; of several at one path the last. */
  readonly files: ReadonlyMap<string, string>;
  /** `x.zip` that is to be made of the folder `x` beside it: absolute folder by the path of the archive. */
  readonly archives: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the flow's `additional_includes`: a file lands at the root of the flow's folder under its base name, a folder under its
 * own name, and either takes the place of what is there.
 */
export function readIncludes(source: SourceFile, folder: string): Includes {
  const files = new Map<string, string>();
  const archives = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const { path, span } of writtenIncludes(source)) {
    const from = resolve(folder, path);
    const archived = path.endsWith('.zip') ? from.slice(0, -'.zip'.length) : undefined;
    if (existsSync(from)) {
      const taken = layIn(from, files).filter((way) => existsSync(join(folder, way)));
      const [first] = taken;
      if (first !== undefined) diagnostics.push(replaces(first, taken.length, path, span));
    } else if (archived !== undefined && existsSync(archived)) archives.set(basename(path), archived);
    else diagnostics.push(missing(path, span, folder));
  }
  return { files, archives, diagnostics };
}

/** The files of a flow with those it includes laid over; shown where they really are. */
export function flowFilesOf(
  location: { readonly file: string; readonly folder: string },
  shownFrom: string,
): { readonly files: FlowFiles; readonly includes: Includes } {
  const own = createFlowFiles(location.folder, shownFrom);
  const includes = readIncludes(readSourceFile(location.file, shownFrom), location.folder);
  return { files: includes.files.size === 0 ? own : withIncludes(own, includes, shownFrom), includes };
}

function withIncludes(own: FlowFiles, { files }: Includes, shownFrom: string): FlowFiles {
  const original = (path: string): string | undefined => files.get(path.replace(/^(\.\/)+/, ''));
  return {
    folder: own.folder,
    resolve: (path) => original(path) ?? own.resolve(path),
    read: (path) => {
      const from = original(path);
      return from === undefined ? own.read(path) : readSourceFile(from, shownFrom);
    },
    list: () => [...new Set([...own.list(), ...files.keys()])].sort(),
  };
}

/** Files the flow lays out, and their places in its text. A text without the key is not parsed a second time. */
function writtenIncludes(source: SourceFile): readonly { readonly path: string; readonly span: Span | undefined }[] {
  if (!/^["']?additional_includes["']?[ \t]*:/m.test(source.text)) return [];
  const { value, locate } = parseYaml(source);
  if (typeof value !== 'object' || value === null || !('additional_includes' in value)) return [];
  const written: unknown = value['additional_includes'];
  if (!Array.isArray(written)) return [];
  return written.flatMap((path: unknown, index) =>
    typeof path === 'string' ? [{ path, span: locate(['additional_includes', index]) }] : [],
  );
}

/** @returns the paths in the flow's folder that were laid in */
function layIn(from: string, files: Map<string, string>): readonly string[] {
  if (!statSync(from).isDirectory()) {
    files.set(basename(from), from);
    return [basename(from)];
  }
  const found = createFlowFiles(from, from).list();
  for (const way of found) files.set(`${basename(from)}/${way}`, join(from, way));
  return found.map((way) => `${basename(from)}/${way}`);
}

function missing(path: string, span: Span | undefined, folder: string): Diagnostic {
  const beside = dirname(resolve(folder, path));
  const help = existsSync(beside)
    ? `${beside} holds ${readdirSync(beside).slice(0, 8).join(', ') || 'nothing'}`
    : `there is no folder ${beside}; paths count from the folder of the flow`;
  return {
    severity: 'error',
    code: 'INCLUDE_MISSING',
    message: `there is no file or folder "${path}" to include`,
    ...(span === undefined ? {} : { span }),
    help,
    promptFlow: { code: 'UserErrorException', message: `Unable to find additional include ${path}` },
  };
}

function replaces(way: string, count: number, path: string, span: Span | undefined): Diagnostic {
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  return {
    severity: 'warning',
    code: 'INCLUDE_REPLACES',
    message: `"${path}" takes the place of ${way}${others} in the folder of the flow`,
    ...(span === undefined ? {} : { span }),
  };
}
