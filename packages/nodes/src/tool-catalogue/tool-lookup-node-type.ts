import type {
  Diagnostic,
  FlowFiles,
  NodeDefinition,
  NodeInspection,
  NodeOutcome,
  NodeType,
  PreparedNode,
  Value,
} from '@unroll/engine';
import { PrepareError } from '@unroll/engine';
import { textFileDigest } from '../code/file-digest.ts';
import { CatalogueError } from './catalogue-file.ts';
import { inspectCatalogue, mistake } from './inspect-catalogue.ts';
import { type OpenedCatalogue, openCatalogue } from './open-catalogue.ts';
import { mostOffered, type OfferForm, offerForms, offerTools } from './tool-offer.ts';
import type { Ranking, ToolHit } from './tool-retriever.ts';

const rankings: readonly Ranking[] = ['features', 'bm25f'];
const defaultTopK = 10;

/**
 * The node type `tool_lookup`: finds the tools of a catalogue that the input `query` may need and gives
 * `{ids, hits, tools}`: their names best first, `{id, title, text, score}` of each, and the tools as a model takes them, to
 * be bound to the input `tools` of an llm node.
 *
 *     - name: find
 *       type: tool_lookup
 *       catalogue: shop.tools        # made by flow tools build; or an OpenAPI, JSON or JSONL file of tools
 *       top_k: 10                    # 1 to 50
 *       ranking: features            # or bm25f
 *       offer: tools                 # or call_tool, or structured_outputs (vLLM)
 *       inputs: {query: "${inputs.query}"}
 */
export function toolLookupNodeType(): NodeType {
  return {
    name: 'tool_lookup',
    version: 1,
    effects: 'reads',
    keys: ['catalogue', 'top_k', 'ranking', 'offer'],
    inspect: inspectToolLookup,
    prepare: async (node, { files }) => prepareToolLookup(node, files),
  };
}

interface Settings {
  readonly catalogue: string;
  readonly topK: number;
  readonly ranking: Ranking;
  readonly offer: OfferForm;
}

function inspectToolLookup(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const { settings, diagnostics } = readSettings(node);
  const file =
    settings === undefined ? { files: [], diagnostics: [] } : inspectCatalogue(node, settings.catalogue, files);
  return {
    diagnostics: [...diagnostics, ...file.diagnostics],
    parameters: [{ name: 'query', required: true, type: 'string' }],
    takesAnyInput: false,
    outputType: 'object',
    files: file.files,
  };
}

function readSettings(node: NodeDefinition): { settings?: Settings; diagnostics: Diagnostic[] } {
  const { catalogue, top_k: topK = defaultTopK, ranking = 'features', offer = 'tools' } = node.settings;
  const count = Number(topK);
  const checks: readonly [boolean, string, string][] = [
    [
      typeof catalogue === 'string' && catalogue !== '',
      'catalogue',
      'expected the path of a .tools file, or of a file of tools',
    ],
    [
      Number.isInteger(count) && count > 0 && count <= mostOffered,
      'top_k',
      `expected a whole number from 1 to ${mostOffered}`,
    ],
    [rankings.includes(ranking as Ranking), 'ranking', `expected one of ${rankings.join(', ')}`],
    [offerForms.includes(offer as OfferForm), 'offer', `expected one of ${offerForms.join(', ')}`],
  ];
  const wrong = checks.filter(([isRight]) => !isRight);
  const diagnostics = wrong.map(([, key, message]) => mistake('FLOW_WRONG_VALUE', `${key}: ${message}`, node, key));
  if (wrong.length > 0) return { diagnostics };
  const settings = {
    catalogue: String(catalogue),
    topK: count,
    ranking: ranking as Ranking,
    offer: offer as OfferForm,
  };
  return { settings, diagnostics };
}

async function prepareToolLookup(node: NodeDefinition, files: FlowFiles): Promise<PreparedNode> {
  const { settings, diagnostics } = readSettings(node);
  if (settings === undefined) {
    throw new PrepareError(failure('ToolLookupError', 'the tool_lookup node has wrong keys'), diagnostics);
  }
  const opened = openOrRefuse(settings.catalogue, files);
  const retriever = opened.retriever(settings.ranking);
  const path = files.resolve(settings.catalogue) ?? '';
  return {
    parametersWithDefault: new Set(),
    parts: () => ({ [`catalogue ${settings.catalogue}`]: textFileDigest(path), settings: JSON.stringify(settings) }),
    run: ({ query = null }) => answer(query, (text) => retriever.find(text, settings.topK), settings.offer),
  };
}

/** @throws PrepareError where the catalogue cannot be opened */
export function openOrRefuse(catalogue: string, files: FlowFiles): OpenedCatalogue {
  const path = files.resolve(catalogue);
  if (path === undefined) {
    throw new PrepareError(failure('CatalogueInvalid', `"${catalogue}" leads out of the flow's folder`));
  }
  try {
    return openCatalogue(path, catalogue);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new PrepareError(failure(error.code, error.message));
  }
}

function answer(query: Value, find: (text: string) => readonly ToolHit[], form: OfferForm): NodeOutcome {
  if (typeof query !== 'string') {
    return { ok: false, error: failure('ToolLookupError', 'the input "query" of a tool_lookup node is a text') };
  }
  const hits = find(query);
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

function failure(code: string, message: string) {
  return { code, message, retryable: false };
}
