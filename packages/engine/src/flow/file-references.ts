import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import type { SpecPath } from './flow-spec.ts';
import { parseYaml, type YamlDocument } from './yaml-document.ts';

/** Files that a definition may name. */
export interface ReferencedFiles {
  read(path: string): SourceFile | undefined;
  /** Absolute path, or undefined when `path` leads out of their folder. */
  resolve(path: string): string | undefined;
}

const fileReference = /^\$\{file:(.*)\}/;

/** Each text `${file:NAME}` replaced by what the file holds, where it is there: JSON and YAML as values, any other as its text. */
export function withFileReferences(value: JsonValue, files: ReferencedFiles): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => withFileReferences(item, files));
  if (isMapping(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withFileReferences(member, files)]));
  }
  const name = namedFile(value);
  const read = name === undefined ? undefined : files.read(name);
  return read === undefined ? value : (contentsOf(read) ?? value);
}

/** References of a prompty to files that are not there, or lead out of its folder. */
export function missingFiles(
  value: JsonValue,
  document: YamlDocument,
  files: ReferencedFiles,
  path: SpecPath = [],
): readonly Diagnostic[] {
  const below = (member: JsonValue, key: string | number) => missingFiles(member, document, files, [...path, key]);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(below);
  if (isMapping(value)) return Object.entries(value).flatMap(([key, member]) => below(member, key));
  const name = namedFile(value);
  if (name === undefined || files.read(name) !== undefined) return [];
  return [
    {
      severity: 'error',
      ...(files.resolve(name) === undefined ? outside(name) : missing(name)),
      span: document.locate(path),
      details: { kind: 'prompty-file-missing', path: name },
    },
  ];
}

function outside(name: string) {
  return {
    code: 'FILE_OUTSIDE',
    message: `"${name}" leads out of the folder of the prompty`,
    help: 'move the file into the folder',
  } as const;
}

function missing(name: string) {
  return { code: 'FILE_MISSING', message: `there is no file ${name} in the folder of the prompty` } as const;
}

/** What a file holds; undefined where it cannot be read as what its name says it is. */
export function contentsOf(file: SourceFile): JsonValue | undefined {
  // JSON is YAML, whose reader tells what is wrong instead of throwing it.
  return /\.(?:json|ya?ml)$/i.test(file.path) ? parseYaml(file).value : file.text;
}

function namedFile(value: JsonValue): string | undefined {
  return typeof value === 'string' ? fileReference.exec(value)?.[1]?.trim() : undefined;
}
