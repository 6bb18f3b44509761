import type {
  Diagnostic,
  FingerprintInputs,
  FlowFiles,
  JsonValue,
  NodeDefinition,
  NodeInspection,
  NodeOutcome,
  NodeType,
  PreparedNode,
} from '@unroll/engine';
import { listOf, mappingOf, PrepareError, textOf } from '@unroll/engine';
import { mistakeAtKey, wrongValue } from '../errors/mistake-at-key.ts';
import { contentDigest, textFileDigest } from '../identity/file-digest.ts';
import { CatalogueError } from './catalogue-file.ts';
import { type InspectedCatalogue, inspectCatalogue, inspectRetriever } from './inspect-catalogue.ts';
import { noQuery, queriesOf, queryMistakes } from './lookup-query.ts';
import { mergeViews } from './merge-views.ts';
import { narrowedRetriever, unknownCategory, withinCategories } from './narrowed-catalogue.ts';
import { type OpenedCatalogue, openCatalogue, openRetriever } from './open-catalogue.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';
import { maxOffered, type OfferForm, offerForms, offerTools } from './tool-offer.ts';
import type { Ranking, ToolHit, ToolRetriever } from './tool-retriever.ts';

const rankings: readonly Ranking[] = ['features', 'bm25f'];
const defaultTopK = 10;

/**
 * The node type `tool_lookup`: finds the tools of a catalogue that the input `query` may need and gives
 * `{ids, hits, tools}`: their names best first, `{id, title, text, score}` of each, and the tools as a model takes them, to
 * be bound to the input `tools` of an llm node. Of a list of queries each is asked for itself, and a tool counts where it
 * ranks best. In place of `query` the input `found` takes what another node found: names, or the hits of a lookup node.
 *
 *     - name: find
 *       type: tool_lookup
 *       catalogue: shop.tools        # made by flow tools build; or an OpenAPI, JSON or JSONL file of tools
 *       category: [Weather, Travel]  # tools of these alone; all when absent
 *       top_k: 10                    # 1 to 50
 *       ranking: features            # or bm25f
 *       retriever: shop.model        # made by flow tools train; takes the place of the ranking
 *       offer: tools                 # or call_tool, or structured_outputs (vLLM)
 *       inputs: {query: "${inputs.query}"}
 */
export function toolLookupNodeType(): NodeType {
  return {
    name: 'tool_lookup',
    version: 1,
    effects: 'reads',
    keys: ['catalogue', 'category', 'top_k', 'ranking', 'retriever', 'offer'],
    inspect: inspectToolLookup,
    prepare: async (node, { files }) => prepareToolLookup(node, files),
  };
}

interface Settings {
  readonly catalogue: string;
  /** None: all. */
  readonly categories: readonly string[];
  readonly topK: number;
  readonly ranking: Ranking;
  readonly offer: OfferForm;
  readonly retriever: string | undefined;
}

function inspectToolLookup(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const { diagnostics } = readSettings(node);
  const file = inspectFiles(node, files);
  return {
    diagnostics: [...diagnostics, ...file.diagnostics, ...queryMistakes(node)],
    parameters: [
      { name: 'query', required: node.inputs['found'] === undefined },
      { name: 'found', required: false, type: 'list' },
    ],
    takesAnyInput: false,
    toleratedInputs: 'unknown',
    takesEmptyText: true,
    outputType: 'object',
    outputProperties: ['ids', 'hits', 'tools', 'structured_outputs'],
    files: file.files,
  };
}

/** Whether the catalogue, the categories in it and the retriever that was trained on it are there, whatever else is wrong. */
function inspectFiles(node: NodeDefinition, files: FlowFiles): InspectedCatalogue {
  const { catalogue: path, retriever } = node.settings;
  const isPath = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';
  const inspected = isPath(path) ? inspectCatalogue(node, path, files) : { files: [], diagnostics: [] };
  const { catalogue } = inspected;
  const categories = writtenCategories(node).filter((one) => typeof one === 'string');
  const unknown = catalogue === undefined ? undefined : unknownCategory(catalogue, categories);
  const diagnostics = [
    ...inspected.diagnostics,
    ...(unknown === undefined ? [] : [mistakeAtKey(node, 'category', { code: 'TOOL_CATALOGUE', ...unknown })]),
    ...(isPath(retriever) ? inspectRetriever(node, retriever, files, catalogue) : []),
  ];
  return { ...inspected, diagnostics };
}

function writtenCategories({ settings: { category = [] } }: NodeDefinition): readonly JsonValue[] {
  return typeof category === 'string' ? [category] : listOf(category);
}

function readSettings(node: NodeDefinition): { settings?: Settings; diagnostics: Diagnostic[] } {
  const { catalogue, top_k: topK = defaultTopK, ranking = 'features', offer = 'tools', retriever } = node.settings;
  const { category = [] } = node.settings;
  const categories = typeof category === 'string' ? [category] : category;
  const count = Number(topK);
  const checks: readonly [boolean, string, string][] = [
    [
      typeof catalogue === 'string' && catalogue !== '',
      'catalogue',
      'expected the path of a .tools file, or of a file of tools',
    ],
    [
      Array.isArray(categories) && categories.every((one) => typeof one === 'string'),
      'category',
      'expected the name of a category, or a list of them',
    ],
    [
      Number.isInteger(count) && count > 0 && count <= maxOffered,
      'top_k',
      `expected a whole number from 1 to ${maxOffered}`,
    ],
    [rankings.includes(ranking as Ranking), 'ranking', `expected one of ${rankings.join(', ')}`],
    [
      retriever === undefined || (typeof retriever === 'string' && retriever !== ''),
      'retriever',
      'expected the path of a file that flow tools train wrote',
    ],
    [offerForms.includes(offer as OfferForm), 'offer', `expected one of ${offerForms.join(', ')}`],
  ];
  const wrong = checks.filter(([isRight]) => !isRight);
  const diagnostics = wrong.map(([, key, message]) => wrongValue(node, key, message));
  if (wrong.length > 0) return { diagnostics };
  const settings = {
    catalogue: String(catalogue),
    categories: categories as readonly string[],
    topK: count,
    ranking: ranking as Ranking,
    offer: offer as OfferForm,
    retriever: retriever === undefined ? undefined : String(retriever),
  };
  return { settings, diagnostics };
}

async function prepareToolLookup(node: NodeDefinition, files: FlowFiles): Promise<PreparedNode> {
  const { settings } = readSettings(node);
  if (settings === undefined) {
    throw new PrepareError(failure('ToolLookupError', 'the tool_lookup node has wrong keys'));
  }
  const whole = openOrRefuse(settings.catalogue, files);
  const opened = orRefuse(() => withinCategories(whole, settings.categories));
  const retriever = retrieverOf(whole, opened, settings, files);
  return {
    parametersWithDefault: new Set(['query', 'found']),
    parts: () => partsOf(settings, files),
    run: ({ query = null, found = null }) =>
      found === null ? answerQuery(query, retriever, settings) : answerFound(found, opened.catalogue, settings),
  };
}

/** @throws PrepareError where the trained retriever cannot be opened */
function retrieverOf(
  whole: OpenedCatalogue,
  opened: OpenedCatalogue,
  { ranking, retriever }: Settings,
  files: FlowFiles,
): ToolRetriever {
  if (retriever === undefined) return opened.retriever(ranking);
  const trained = orRefuse(() => openRetriever(insideFlow(retriever, files), retriever, whole.catalogue));
  return opened === whole ? trained : narrowedRetriever(trained, whole.catalogue, opened.catalogue);
}

function partsOf(settings: Settings, files: FlowFiles): FingerprintInputs {
  const { catalogue, retriever } = settings;
  const model = retriever === undefined ? undefined : contentDigest(files.resolve(retriever) ?? '');
  return {
    [`catalogue ${catalogue}`]: textFileDigest(files.resolve(catalogue) ?? ''),
    ...(model === undefined ? {} : { [`retriever ${retriever}`]: model }),
    settings: JSON.stringify(settings),
  };
}

/** @throws PrepareError where the catalogue cannot be opened */
export function openOrRefuse(catalogue: string, files: FlowFiles): OpenedCatalogue {
  return orRefuse(() => openCatalogue(insideFlow(catalogue, files), catalogue));
}

function insideFlow(path: string, files: FlowFiles): string {
  const file = files.resolve(path);
  if (file === undefined) throw new CatalogueError(`"${path}" leads out of the flow's folder`);
  return file;
}

function orRefuse<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new PrepareError(failure(error.code, error.message));
  }
}

function answerQuery(query: JsonValue, retriever: ToolRetriever, { topK, offer }: Settings): NodeOutcome {
  const queries = queriesOf(query);
  if (queries === undefined) return refusal(noQuery);
  return found(mergeViews(queries.map((text) => retriever.find(text, topK))).slice(0, topK), offer);
}

/** Tools that another node has found: by their names, or as hits of a lookup node, whose ids are names. */
function answerFound(given: JsonValue, catalogue: ToolCatalogue, { topK, offer }: Settings): NodeOutcome {
  if (!Array.isArray(given)) {
    return refusal('the input "found" of a tool_lookup node is a list of names, or the hits of a lookup node');
  }
  const hits = listOf(given).flatMap((one) => {
    const { id = one, score = null } = mappingOf(one);
    const tool = catalogue.find(textOf(id));
    return tool === undefined ? [] : [{ tool, score: typeof score === 'number' ? score : Number(score ?? 0) }];
  });
  const once = hits.filter(({ tool }, at) => hits.findIndex((other) => other.tool === tool) === at);
  return found(once.slice(0, topK), offer);
}

function found(hits: readonly ToolHit[], form: OfferForm): NodeOutcome {
  const tools = hits.map(({ tool }) => tool);
  return {
    ok: true,
    output: {
      ids: tools.map(({ name }) => name),
      hits: hits.map(({ tool, score }) => ({ id: tool.name, title: tool.own, text: tool.description, score })),
      ...offerTools(tools, form),
    },
  };
}

function refusal(message: string): NodeOutcome {
  return { ok: false, error: failure('ToolLookupError', message) };
}

function failure(code: string, message: string) {
  return { code, message, retryable: false };
}
