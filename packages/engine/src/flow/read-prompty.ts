import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import { isFalsy } from '../value/falsy.ts';
import { Float } from '../value/float.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping, mappingOf } from '../value/shapes.ts';
import { checkPrompty } from './check-prompty.ts';
import { asChosen, type ChosenModel } from './chosen-model.ts';
import { contentsOf, missingFiles, type ReferencedFiles, withFileReferences } from './file-references.ts';
import { maxWritten, parseYaml, type YamlDocument } from './yaml-document.ts';

/** A `.prompty` file: what its front matter says, and its template. */
export interface Prompty {
  readonly name: string;
  readonly description?: string;
  readonly api: 'chat' | 'completion';
  /** `{type, azure_endpoint, azure_deployment, api_key …}`, or `{connection, azure_deployment}`; as written. */
  readonly configuration: JsonObject;
  /** Parameters of the API, sent as they are. */
  readonly parameters: JsonObject;
  /** `first` gives the text of the first choice, `all` the whole answer of the service. */
  readonly response: 'first' | 'all';
  readonly inputs: JsonObject;
  /** As they are declared, by name. */
  readonly outputs: JsonObject;
  /** Inputs to try it with, or the JSON file that holds them. */
  readonly sample?: JsonValue;
  /** The same file with its front matter blanked, so that places in the template are places in the file. */
  readonly template: SourceFile;
  /** Where the template begins in it. */
  readonly templateStart: number;
  readonly document: YamlDocument;
}

export type ReadPrompty =
  | { readonly ok: true; readonly prompty: Prompty; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a `.prompty` file: YAML between two lines of dashes, then a template. A text `${file:NAME}` in the YAML is replaced by
 * what the file holds, where `files` has it: JSON and YAML as values, any other as its text.
 *
 * @param chosen stands in place of what is written
 */
export function readPrompty(file: SourceFile, files?: ReferencedFiles, chosen: ChosenModel = {}): ReadPrompty {
  const parts = split(file);
  if (parts === undefined) return { ok: false, diagnostics: [illegalForm(file)] };
  const document = parseYaml(parts.front, { longest: maxWritten });
  const root = document.value;
  if (root === undefined) return { ok: false, diagnostics: document.diagnostics };
  if (root !== null && !isMapping(root)) return { ok: false, diagnostics: [illegalForm(file)] };
  const written =
    files === undefined ? (root ?? {}) : withSample(withFileReferences(root ?? {}, files) as JsonObject, files);
  const values = asChosen(written, chosen);
  const prompty = promptyOf(values, file, parts, document);
  const missing = files === undefined ? [] : missingFiles(root ?? {}, document, files);
  return {
    ok: true,
    prompty,
    diagnostics: [...document.diagnostics, ...missing, ...checkPrompty(values, document, prompty.name)],
  };
}

/** A sample may be the name of the JSON file that holds it. */
function withSample(values: JsonObject, files: ReferencedFiles): JsonObject {
  const { sample } = values;
  const file = typeof sample === 'string' ? files.read(sample) : undefined;
  const read = file === undefined ? undefined : contentsOf(file);
  return isMapping(read) ? { ...values, sample: read } : values;
}

/** What of a prompty's answer is JSON: `response_format: {type: json_object}`. */
export function answersJson({ parameters }: Prompty): boolean {
  const format = parameters['response_format'];
  return isMapping(format) && format['type'] === 'json_object';
}

/** Whether the service is asked for its answer piece by piece, and what comes is its text. */
export function answersInPieces(prompty: Prompty): boolean {
  return !isFalsy(prompty.parameters['stream'] ?? null) && !answersJson(prompty) && prompty.response === 'first';
}

function promptyOf(
  root: JsonObject,
  file: SourceFile,
  { template, templateStart }: Parts,
  document: YamlDocument,
): Prompty {
  const model = mappingOf(root['model']);
  const declared = mappingOf(root['inputs']);
  const sample = root['sample'] ?? sampleOf(declared);
  const inputs = Object.keys(declared).length > 0 ? declared : inputsOfSample(mappingOf(sample));
  return {
    name: typeof root['name'] === 'string' ? root['name'] : stemOf(file.path),
    ...(typeof root['description'] === 'string' ? { description: root['description'] } : {}),
    api: model['api'] === 'completion' ? 'completion' : 'chat',
    configuration: {
      ...(model['connection'] === undefined ? {} : { connection: model['connection'] }),
      ...withoutEmptyName(mappingOf(model['configuration'])),
    },
    parameters: mappingOf(model['parameters']),
    response: model['response'] === 'all' ? 'all' : 'first',
    inputs,
    outputs: mappingOf(root['outputs']),
    ...(sample === undefined ? {} : { sample }),
    template,
    templateStart,
    document,
  };
}

/** A connection without a name is none. */
function withoutEmptyName({ connection, ...configuration }: JsonObject): JsonObject {
  return connection === undefined || connection === null || connection === ''
    ? configuration
    : { ...configuration, connection };
}

/** Inputs that only a sample tells of: its values are their defaults. */
function inputsOfSample(sample: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [name, { type: typeOf(value), default: value, isOfSample: true }]),
  );
}

function typeOf(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'int';
  if (value instanceof Float) return 'double';
  return Array.isArray(value) ? 'list' : 'object';
}

/** `sample` of single inputs, as newer files write it. */
function sampleOf(inputs: JsonObject): JsonObject | undefined {
  const samples = Object.entries(inputs).flatMap(([name, input]) =>
    isMapping(input) && input['sample'] !== undefined ? [[name, input['sample']] as const] : [],
  );
  return samples.length === 0 ? undefined : Object.fromEntries(samples);
}

interface Parts {
  readonly front: SourceFile;
  readonly template: SourceFile;
  readonly templateStart: number;
}

function split(file: SourceFile): Parts | undefined {
  const { path, text } = file;
  const opening = /^-{3,}[ \t]*\r?\n/m.exec(text);
  if (opening === null) return undefined;
  const start = opening.index + opening[0].length;
  const closing = /^-{3,}[ \t]*(?:\r?\n|$)/m.exec(text.slice(start));
  if (closing === null) return undefined;
  const end = start + closing.index;
  const bodyStart = end + closing[0].length;
  return {
    front: { path, text: blank(text.slice(0, start)) + text.slice(start, end) },
    template: { path, text: blank(text.slice(0, bodyStart)) + text.slice(bodyStart) },
    templateStart: bodyStart,
  };
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}

function illegalForm(file: SourceFile): Diagnostic {
  return {
    severity: 'error',
    code: 'PROMPTY_FORM',
    message: 'a prompty starts with its settings as YAML between two lines of dashes; its template follows',
    span: { file, start: 0, end: Math.max(0, file.text.indexOf('\n')) },
    details: { kind: 'prompty-form' },
  };
}

/** By its ending, in letters of either case, as Prompt flow tells one. */
export function isPromptyPath(path: string): boolean {
  return /\.prompty$/i.test(path);
}

/** `folder/my chat.prompty` is `my chat`. */
function stemOf(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.prompty$/i, '');
}
