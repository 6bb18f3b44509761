import { existsSync } from 'node:fs';
import type {
  Diagnostic,
  FlowFiles,
  JsonObject,
  NodeDefinition,
  NodeInspection,
  NodeOutcome,
  NodeType,
  PrepareContext,
  PreparedNode,
  SearchFilter,
  SearchIndex,
} from '@unroll/engine';
import { didYouMean, isMapping, PrepareError, wayIntoFolder } from '@unroll/engine/values';
import { missingFor } from '../connections/connection-extras.ts';
import { readRecords } from '../documents/read-records.ts';
import { openIndexDatabase } from '../embedded-index/index-database.ts';
import { IndexError } from '../embedded-index/index-error.ts';
import { keptDigest } from '../embedded-index/kept-digest.ts';
import type { EmbedderServices } from '../embedders/open-embedder.ts';
import { mistakeAtKey } from '../errors/mistake-at-key.ts';
import { retryRule } from '../llm/ask-model.ts';
import { askIndex, lookupError } from './ask-index.ts';
import { checkLookup, lookupConnectionDoubts } from './check-lookup.ts';
import { type LookupSettings, lookupKeys, readLookupSettings } from './lookup-settings.ts';
import { holdsDocuments, isIndexFile } from './open-index.ts';
import { openSearchIndex } from './open-search-index.ts';
import { readFilter } from './read-filter.ts';
import { redactedIndex } from './redacted-index.ts';

/**
 * The node type `lookup`: asks a search index for the input `query` and gives the hits, best first, each
 * `{id, title, text, score}` and the fields of its document.
 *
 *     - name: find
 *       type: lookup
 *       index: knowledge/faq.index   # of flow index build; or .jsonl, .json, .md, a folder of these
 *       mode: hybrid                 # keyword, vector, hybrid
 *       top_k: 3
 *       filter: {lang: ja}           # or as the input `filter`
 *       inputs: {query: "${inputs.query}"}
 *
 * With `connection`, the name of a connection to Azure AI Search, `index` is the name of an index there.
 */
export function lookupNodeType(services: EmbedderServices): NodeType {
  return {
    name: 'lookup',
    version: 2,
    effects: 'reads',
    keys: lookupKeys,
    inspect: inspectLookup,
    prepare: (node, context) => prepareLookup(node, context, services),
  };
}

function inspectLookup(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const { diagnostics } = readLookupSettings(node);
  const { index: path, embedder } = node.settings;
  const { connection: given } = isMapping(embedder) ? embedder : {};
  const embedderConnection = typeof given === 'string' ? given : undefined;
  const index =
    typeof path !== 'string' || path === '' || isAtService(node)
      ? { files: [], diagnostics: [] }
      : inspectIndex(node, path, files);
  return {
    diagnostics: [...diagnostics, ...index.diagnostics, ...checkLookup(node)],
    parameters: [
      { name: 'query', required: true, type: 'string' },
      { name: 'filter', required: false, type: 'object' },
    ],
    takesAnyInput: false,
    toleratedInputs: 'unknown',
    takesEmptyText: true,
    outputType: 'list',
    files: index.files,
    connectionDoubts: (connections) => lookupConnectionDoubts(node, connections),
    missingPackages: (connections) => [
      ...missingFor(node.connection, connections, ['connection'], files.folder),
      ...missingFor(embedderConnection, connections, ['embedder', 'connection'], files.folder),
    ],
  };
}

function isAtService({ connection }: NodeDefinition): boolean {
  return connection !== undefined && connection !== '';
}

interface InspectedIndex {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

function inspectIndex(node: NodeDefinition, path: string, files: FlowFiles): InspectedIndex {
  if (files.resolve(path) === undefined) {
    const message = `"${path}" leads out of the folder of the flow`;
    const help = wayIntoFolder(path);
    return { files: [], diagnostics: [mistakeAtKey(node, 'index', { code: 'FILE_OUTSIDE', message, help })] };
  }
  if (isIndexFile(path)) {
    const isThere = files.list().includes(path.replace(/^\.\//u, ''));
    return { files: [], diagnostics: isThere ? wrongIndex(node, path, files) : [missingIndex(node, path, files)] };
  }
  const folder = `${path.replace(/\/+$/u, '')}/`;
  const isListed = (name: string): boolean => name === path || (name.startsWith(folder) && holdsDocuments(name));
  const found = files.read(path) === undefined ? files.list().filter(isListed) : [path];
  if (found.length === 0) return { files: [], diagnostics: [missingIndex(node, path, files)] };
  const sources = found.map((name) => files.read(name)).filter((file) => file !== undefined);
  return { files: [...found], diagnostics: sources.flatMap((file) => readRecords(file).diagnostics) };
}

/** A file that is no index, or not one for this program; one that the system keeps from us may be. One that is not whole. */
function wrongIndex(node: NodeDefinition, path: string, files: FlowFiles): readonly Diagnostic[] {
  try {
    const database = openIndexDatabase(files.resolve(path) ?? path, 'read', path);
    const isFinished = keptDigest(database) !== undefined;
    database.close();
    return isFinished ? [] : [unfinishedIndex(node, path)];
  } catch (error) {
    if (!(error instanceof IndexError) || error.isUnreadable) return [];
    return [mistakeAtKey(node, 'index', { code: 'FLOW_WRONG_VALUE', message: error.message })];
  }
}

function unfinishedIndex(node: NodeDefinition, path: string): Diagnostic {
  const message = `a build of ${path} failed, was stopped, or is under way: a lookup finds only what is in it so far`;
  const help = `flow index update ${path} goes on with it`;
  return mistakeAtKey(node, 'index', { severity: 'warning', code: 'INDEX_UNFINISHED', message, help });
}

function missingIndex(node: NodeDefinition, path: string, files: FlowFiles): Diagnostic {
  const near = didYouMean(
    path,
    files.list().filter((name) => holdsDocuments(name) || isIndexFile(name)),
  );
  if (near === undefined && !isIndexFile(path) && existsSync(files.resolve(path) ?? '')) return noDocuments(node, path);
  const help = near ?? (isIndexFile(path) ? `flow index build <folder> --out ${path} makes one` : undefined);
  const message = `there is no file or folder "${path}" for node "${node.name}"`;
  return mistakeAtKey(node, 'index', { code: 'FILE_MISSING', message, help });
}

function noDocuments(node: NodeDefinition, path: string): Diagnostic {
  const message = `"${path}" holds nothing that node "${node.name}" can search`;
  const help = 'a lookup searches .jsonl, .json and .md files; flow index build reads PDF, Word and others';
  return mistakeAtKey(node, 'index', { code: 'FILE_MISSING', message, help });
}

async function prepareLookup(
  node: NodeDefinition,
  context: PrepareContext,
  services: EmbedderServices,
): Promise<PreparedNode> {
  const { settings } = readLookupSettings(node);
  if (settings === undefined) throw new PrepareError(lookupError('the lookup node has wrong keys'));
  const { index: opened, parts, effects } = await openSearchIndex(node, settings, context, services);
  const index = redactedIndex(opened, context.redactor);
  const retries = { rule: retryRule(node), clock: services.clock };
  return {
    parametersWithDefault: new Set(['filter']),
    parts,
    ...(effects === undefined ? {} : { effects }),
    run: (inputs, { signal }) => answerQuery(inputs, index, settings, signal, retries),
  };
}

function answerQuery(
  { query = null, filter = null }: JsonObject,
  index: SearchIndex,
  { options }: LookupSettings,
  signal: AbortSignal,
  retries: Parameters<typeof askIndex>[3],
): NodeOutcome | Promise<NodeOutcome> {
  if (typeof query !== 'string') {
    return { ok: false, error: lookupError('the input "query" of a lookup node is a text') };
  }
  const given = filter === null ? undefined : readFilter(filter);
  if (given !== undefined && 'problem' in given) {
    return { ok: false, error: lookupError(`the input "filter" of the lookup node: ${given.problem}`) };
  }
  const both = [options.filter, given?.filter].filter((one) => one !== undefined);
  return askIndex(index, query, { ...options, ...filterOf(both), signal }, retries);
}

/** What the flow says and what the row says hold both. */
function filterOf(filters: readonly SearchFilter[]): { readonly filter?: SearchFilter } {
  const [only] = filters;
  if (only === undefined) return {};
  return { filter: filters.length === 1 ? only : { kind: 'and', filters } };
}
