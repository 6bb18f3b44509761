import type {
  Diagnostic,
  Fusion,
  FusionWeights,
  JsonObject,
  JsonValue,
  NodeDefinition,
  SearchFilter,
  SearchMode,
  SearchOptions,
} from '@unroll/engine';
import { isMapping } from '@unroll/engine/values';
import type { KeptEmbedder } from '../embedded-index/index-settings.ts';
import { wrongValue } from '../errors/mistake-at-key.ts';
import { readFilter } from './read-filter.ts';

/** What a lookup node says of itself. */
export interface LookupSettings {
  /** Path of a file or folder; with a connection the name of an index there. */
  readonly index: string;
  readonly options: Omit<SearchOptions, 'signal'>;
  /** In place of what the index was made with. */
  readonly embedder?: KeptEmbedder;
  /** How columns of an index at Azure are called that `flow index build` did not make. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Name of a semantic configuration: the service ranks the best hits again. */
  readonly semantic?: string;
}

export const lookupKeys = [
  ...['index', 'mode', 'top_k', 'filter', 'minimum_score', 'fields', 'fusion', 'embedder'],
  ...['columns', 'semantic'],
];

export const defaultTopK = 3;

/** The settings, or every mistake in them with its key. */
export function readLookupSettings(node: NodeDefinition): {
  readonly settings?: LookupSettings;
  readonly diagnostics: readonly Diagnostic[];
} {
  const written = node.settings;
  const filter = written['filter'] === undefined ? undefined : readFilter(written['filter']);
  const fusion = written['fusion'] === undefined ? undefined : readFusion(written['fusion']);
  const wrong = [
    ...expected
      .filter(({ key, is }) => !is(written[key]))
      .map(({ key, what }) => ({ key, problem: `expected ${what}` })),
    ...(filter !== undefined && 'problem' in filter ? [{ key: 'filter', problem: filter.problem }] : []),
    ...(typeof fusion === 'string' ? [{ key: 'fusion', problem: fusion }] : []),
  ];
  const diagnostics = wrong.map(({ key, problem }) => wrongValue(node, key, problem));
  if (wrong.length > 0) return { diagnostics };
  const read = {
    ...(filter !== undefined && 'filter' in filter ? { filter: filter.filter } : {}),
    ...(fusion === undefined || typeof fusion === 'string' ? {} : { fusion }),
  };
  return { settings: settingsOf(written, read), diagnostics };
}

function settingsOf(
  written: JsonObject,
  read: { readonly filter?: SearchFilter; readonly fusion?: Fusion },
): LookupSettings {
  const { index, mode, top_k: topK, minimum_score: score, fields, embedder, columns, semantic } = written;
  return {
    index: String(index),
    options: {
      ...read,
      topK: Number(topK ?? defaultTopK),
      ...(mode === undefined ? {} : { mode: mode as SearchMode }),
      ...(score === undefined ? {} : { minimumScore: Number(score) }),
      ...(fields === undefined ? {} : { fields: fields as readonly string[] }),
    },
    ...(embedder === undefined ? {} : { embedder: embedder as unknown as KeptEmbedder }),
    ...(columns === undefined ? {} : { columns: columns as Readonly<Record<string, string>> }),
    ...(semantic === undefined ? {} : { semantic: String(semantic) }),
  };
}

/** What a key takes, where that can be said of its value alone. */
const expected: readonly {
  readonly key: string;
  readonly is: (value: JsonValue | undefined) => boolean;
  readonly what: string;
}[] = [
  {
    key: 'index',
    is: isText,
    what: 'the path of an .index file, of a .jsonl, .json or .md file, or of a folder of these',
  },
  { key: 'mode', is: isOptional(isMode), what: 'keyword, vector or hybrid' },
  { key: 'top_k', is: isOptional(isCount), what: 'a whole number above 0' },
  { key: 'minimum_score', is: isOptional(isNumber), what: 'a number' },
  { key: 'fields', is: isOptional(isTextList), what: 'a list of field names' },
  { key: 'embedder', is: isOptional(isEmbedder), what: '{connection: name, model: name}' },
  { key: 'columns', is: isOptional(isTextMapping), what: 'names by part: {id: …, title: …, text: …, vector: …}' },
  { key: 'semantic', is: isOptional(isText), what: 'the name of a semantic configuration' },
];

/** @returns the fusion, or what is wrong with it */
export function readFusion(written: JsonValue): Fusion | string {
  if (!isMapping(written)) return 'expected {method: rrf}, {method: linear} or {method: relative}';
  const { method, k = 60, weights = {} } = written;
  const read = readWeights(weights);
  if (typeof read === 'string') return read;
  if (method === 'linear' || method === 'relative') return { method, weights: read };
  if (method !== 'rrf') return 'method: expected rrf, linear or relative';
  return isNumber(k) && Number(k) > 0 ? { method, k: Number(k), weights: read } : 'k: expected a number above 0';
}

function readWeights(written: JsonValue): FusionWeights | string {
  const problem = 'weights: expected {keyword: number, vector: number}, 0 or more and not both 0';
  if (!isMapping(written)) return problem;
  const { keyword = 1, vector = 1 } = written;
  const isRight = isNumber(keyword) && isNumber(vector) && Number(keyword) >= 0 && Number(vector) >= 0;
  if (!isRight || Number(keyword) + Number(vector) === 0) return problem;
  return { keyword: Number(keyword), vector: Number(vector) };
}

function isOptional(is: (value: JsonValue) => boolean): (value: JsonValue | undefined) => boolean {
  return (value) => value === undefined || is(value);
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function isMode(value: JsonValue): boolean {
  return value === 'keyword' || value === 'vector' || value === 'hybrid';
}

/** Also a text of digits. A list of one number would be one too, and true 1. */
function isCount(value: JsonValue): boolean {
  return (isNumber(value) || typeof value === 'string') && Number.isInteger(Number(value)) && Number(value) > 0;
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || value instanceof Number;
}

function isTextList(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isEmbedder(value: JsonValue): boolean {
  if (!isMapping(value)) return false;
  const { connection, model, dimensions } = value;
  return isText(connection) && isOptional(isText)(model) && isOptional(isCount)(dimensions);
}

function isTextMapping(value: JsonValue): boolean {
  return isMapping(value) && Object.values(value).every((name) => typeof name === 'string');
}
