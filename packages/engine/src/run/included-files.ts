import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { maxWritten, parseYaml } from '../flow/yaml-document.ts';
import type { FlowFiles } from '../node/node-type.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source-file.ts';
import { createFlowFiles, type FlowPlace, readDefinition, readSourceFile, withEdits } from './flow-files.ts';
import { type WalkedInclude, walkInclude } from './walk-include.ts';

/** What `additional_includes` lays into a flow's folder. */
export interface Includes {
  /** Absolute paths of the files and folders that are named, also of those that are not there; none of what is too large. */
  readonly originals: readonly string[];
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
function readIncludes(source: SourceFile, folder: string): Includes {
  const files = new Map<string, string>();
  const archives = new Map<string, string>();
  const written = writtenIncludes(source);
  const diagnostics = written.flatMap(({ path, span }): readonly Diagnostic[] => {
    const from = resolve(folder, path);
    if (existsSync(from)) return layIn(from, { path, span, folder }, files);
    const archived = path.endsWith('.zip') ? from.slice(0, -'.zip'.length) : undefined;
    if (archived === undefined || !existsSync(archived)) return [missing(path, span, folder)];
    const { tooMuch } = walkInclude(archived);
    if (tooMuch !== undefined) return [tooLarge(path, tooMuch, span)];
    archives.set(basename(path), archived);
    return [];
  });
  const refused = new Set(diagnostics.filter(({ code }) => code === 'INCLUDE_TOO_LARGE').map(({ span }) => span));
  const originals = written.filter(({ span }) => !refused.has(span)).map(({ path }) => resolve(folder, path));
  return { originals, files, archives, diagnostics };
}

/** The files of a flow with those it includes laid over; shown where they really are. */
export function flowFilesOf(
  location: FlowPlace,
  shownFrom: string,
): { readonly files: FlowFiles; readonly includes: Includes } {
  const own = createFlowFiles(location.folder, shownFrom);
  const includes = readIncludes(readDefinition(location, shownFrom), location.folder);
  const files = includes.files.size === 0 ? own : withIncludes(own, includes, shownFrom);
  return { files: withEdits(files, location.edits), includes };
}

function withIncludes(own: FlowFiles, { files }: Includes, shownFrom: string): FlowFiles {
  const original = (path: string): string | undefined => files.get(path.replace(/^(\.\/)+/, ''));
  return {
    ...own,
    resolve: (path) => original(path) ?? own.resolve(path),
    read: (path) => {
      const from = original(path);
      return from === undefined ? own.read(path) : readSourceFile(from, shownFrom);
    },
    list: () => [...new Set([...own.list(), ...files.keys()])].sort(),
  };
}

/** Files the flow lays out, and their places in its text. A text without the word is not parsed a second time. */
function writtenIncludes(source: SourceFile): readonly { readonly path: string; readonly span: Span | undefined }[] {
  if (!source.text.includes('additional_includes')) return [];
  const { value, locate } = parseYaml(source, { longest: maxWritten });
  if (typeof value !== 'object' || value === null || !('additional_includes' in value)) return [];
  const written: unknown = value['additional_includes'];
  if (!Array.isArray(written)) return [];
  return written.flatMap((path: unknown, index) =>
    typeof path === 'string' ? [{ path, span: locate(['additional_includes', index]) }] : [],
  );
}

interface WrittenInclude {
  readonly path: string;
  readonly span: Span | undefined;
  /** Of the flow. */
  readonly folder: string;
}

function layIn(
  from: string,
  { path, span, folder }: WrittenInclude,
  files: Map<string, string>,
): readonly Diagnostic[] {
  const walked = walkInclude(from);
  if (walked.tooMuch !== undefined) return [tooLarge(path, walked.tooMuch, span)];
  const ways = walked.files.map((way) => (way === '' ? basename(from) : `${basename(from)}/${way}`));
  for (const [at, way] of ways.entries()) files.set(way, join(from, walked.files[at] ?? ''));
  const taken = ways.filter((way) => existsSync(join(folder, way)));
  const [first] = taken;
  return [...unfit(path, walked, span), ...(first === undefined ? [] : [replaces(first, taken.length, path, span)])];
}

function unfit(path: string, { leftOut }: WalkedInclude, span: Span | undefined): readonly Diagnostic[] {
  const [first] = leftOut;
  if (first === undefined) return [];
  const more = leftOut.length === 1 ? '' : `, and ${leftOut.length - 1} more like it`;
  const isAll = first.path === '';
  return [
    {
      severity: isAll ? 'error' : 'warning',
      code: 'INCLUDE_NO_FILE',
      message: isAll
        ? `"${path}" is ${first.what}, and cannot be included`
        : `"${path}" holds ${first.path}, which is ${first.what}${more}: left out`,
      span,
      help: 'only files and folders of files are included',
    },
  ];
}

function tooLarge(path: string, tooMuch: string, span: Span | undefined): Diagnostic {
  return {
    severity: 'error',
    code: 'INCLUDE_TOO_LARGE',
    message: `"${path}" holds ${tooMuch}`,
    span,
    help: 'name the folders and files that the flow needs',
  };
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
    span,
    help,
    details: { kind: 'include-missing', path },
  };
}

function replaces(way: string, count: number, path: string, span: Span | undefined): Diagnostic {
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  return {
    severity: 'warning',
    code: 'INCLUDE_REPLACES',
    message: `"${path}" takes the place of ${way}${others} in the folder of the flow`,
    span,
  };
}
