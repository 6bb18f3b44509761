import { relative } from 'node:path';
import type {
  Diagnostic,
  FlowFiles,
  NodeDefinition,
  NodeError,
  NodeInspection,
  NodeOutcome,
  NodeParts,
  NodeType,
  PreparedNode,
  SearchHit,
  Span,
  Value,
  Values,
} from '@unroll/engine';
import { didYouMean, PrepareError } from '@unroll/engine';
import { shown, textFileDigest } from '../code/file-digest.ts';
import { IndexError } from './index-error.ts';
import { defaultTopK, type KeywordIndex } from './keyword-index.ts';
import { holdsDocuments, indexFiles, openIndex } from './open-index.ts';
import { readDocuments } from './read-documents.ts';

/**
 * The node type `lookup`: asks a search index for the input `query` and gives the hits, best first, each
 * `{id, title, text, score}` and the fields of its document.
 *
 *     - name: find
 *       type: lookup
 *       index: knowledge/faq.jsonl   # .jsonl, .json, .md or a folder of them
 *       top_k: 3
 *       minimum_score: 1
 *       fields: [articles]           # which fields of a document a hit carries; all when absent
 *       inputs: {query: "${inputs.query}"}
 */
export function lookupNodeType(): NodeType {
  return {
    name: 'lookup',
    version: 1,
    effects: 'reads',
    keys: ['index', 'top_k', 'minimum_score', 'fields'],
    inspect: inspectLookup,
    prepare: async (node, { files }) => prepareLookup(node, files),
  };
}

interface LookupSettings {
  readonly index: string;
  readonly topK: number;
  readonly minimumScore: number;
  readonly fields: readonly string[] | undefined;
}

function inspectLookup(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const { settings, diagnostics } = readSettings(node);
  const index = settings === undefined ? { files: [], diagnostics: [] } : inspectIndex(node, settings.index, files);
  return {
    diagnostics: [...diagnostics, ...index.diagnostics],
    parameters: [{ name: 'query', required: true, type: 'string' }],
    takesAnyInput: false,
    files: index.files,
  };
}

function inspectIndex(
  node: NodeDefinition,
  path: string,
  files: FlowFiles,
): { files: string[]; diagnostics: Diagnostic[] } {
  const folder = `${path.replace(/\/+$/u, '')}/`;
  const isListed = (name: string) => name === path || (name.startsWith(folder) && holdsDocuments(name));
  const found = files.read(path) === undefined ? files.list().filter(isListed) : [path];
  if (files.resolve(path) === undefined) {
    const message = `"${path}" leads out of the folder of the flow`;
    return { files: [], diagnostics: [mistake('FILE_OUTSIDE', message, node, 'index')] };
  }
  if (found.length === 0) return { files: [], diagnostics: [missingIndex(node, path, files)] };
  const sources = found.map((name) => files.read(name)).filter((file) => file !== undefined);
  return { files: [...found], diagnostics: sources.flatMap((file) => readDocuments(file).diagnostics) };
}

function missingIndex(node: NodeDefinition, path: string, files: FlowFiles): Diagnostic {
  const help = didYouMean(path, files.list().filter(holdsDocuments));
  const diagnostic = mistake(
    'FILE_MISSING',
    `there is no file or folder "${path}" for node "${node.name}"`,
    node,
    'index',
  );
  return help === undefined ? diagnostic : { ...diagnostic, help };
}

function readSettings(node: NodeDefinition): { settings?: LookupSettings; diagnostics: Diagnostic[] } {
  const { index, top_k: topK = defaultTopK, minimum_score: minimumScore = 0, fields } = node.settings;
  const checks: readonly [boolean, string, string][] = [
    [isFilePath(index), 'index', 'expected the path of a .jsonl, .json or .md file, or of a folder of them'],
    [Number.isInteger(Number(topK)) && Number(topK) > 0, 'top_k', 'expected a whole number above 0'],
    [isNumber(minimumScore) && Number(minimumScore) >= 0, 'minimum_score', 'expected a number, 0 or more'],
    [fields === undefined || isTextList(fields), 'fields', 'expected a list of field names'],
  ];
  const wrong = checks.filter(([isRight]) => !isRight);
  const diagnostics = wrong.map(([, key, message]) => mistake('FLOW_WRONG_VALUE', `${key}: ${message}`, node, key));
  if (wrong.length > 0 || typeof index !== 'string') return { diagnostics };
  const settings = {
    index,
    topK: Number(topK),
    minimumScore: Number(minimumScore),
    fields: fields as LookupSettings['fields'],
  };
  return { settings, diagnostics };
}

async function prepareLookup(node: NodeDefinition, files: FlowFiles): Promise<PreparedNode> {
  const { settings, diagnostics } = readSettings(node);
  if (settings === undefined)
    throw new PrepareError(failure('LookupError', 'the lookup node has wrong keys'), diagnostics);
  const index = openOrRefuse(settings.index, files);
  const path = files.resolve(settings.index) ?? '';
  return {
    parametersWithDefault: new Set(),
    parts: () => indexParts(path, files.folder),
    run: ({ query = null }) => answerQuery(query, index, settings),
  };
}

function indexParts(path: string, folder: string): NodeParts {
  const parts = indexFiles(path).map((file) => [`index ${shown(relative(folder, file))}`, textFileDigest(file)]);
  return Object.fromEntries(parts);
}

function openOrRefuse(path: string, files: FlowFiles): KeywordIndex {
  const file = files.resolve(path);
  if (file === undefined) {
    throw new PrepareError(failure('IndexNotFound', `index "${path}" leads out of the flow's folder`));
  }
  try {
    return openIndex(file);
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    throw new PrepareError(failure(error.code, error.message));
  }
}

function answerQuery(query: Value, index: KeywordIndex, settings: LookupSettings): NodeOutcome {
  if (typeof query !== 'string') {
    return { ok: false, error: failure('LookupError', 'the input "query" of a lookup node is a text') };
  }
  return { ok: true, output: index.search(query, settings).map((hit) => hitValue(hit, settings.fields)) };
}

function hitValue({ id, title, text, score, fields }: SearchHit, wanted: readonly string[] | undefined): Values {
  const kept = Object.entries(fields).filter(([name]) => wanted?.includes(name) ?? true);
  return { ...Object.fromEntries(kept), id, title: title ?? null, text, score };
}

function failure(code: string, message: string): NodeError {
  return { code, message, retryable: false };
}

function mistake(code: string, message: string, node: NodeDefinition, key: string): Diagnostic {
  const span: Span | undefined = node.locate([key], 'value') ?? node.locate(['name'], 'value');
  return span === undefined ? { severity: 'error', code, message } : { severity: 'error', code, message, span };
}

function isFilePath(value: Value | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function isNumber(value: Value): boolean {
  return typeof value === 'number' || value instanceof Number;
}

function isTextList(value: Value): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
