import type {
  Diagnostic,
  FlowFiles,
  JsonObject,
  JsonValue,
  NodeDefinition,
  NodeInspection,
  NodeOutcome,
  NodeType,
  PreparedNode,
} from '@unroll/engine';
import { isMapping, listOf, PrepareError } from '@unroll/engine';
import { wrongValue } from '../errors/mistake-at-key.ts';
import { textFileDigest } from '../identity/file-digest.ts';
import type { CatalogueTool } from './catalogue-tool.ts';
import { inspectCatalogue } from './inspect-catalogue.ts';
import { type CallVerdict, callsOfMessage, ToolGuard, type WrittenCall } from './tool-guard.ts';
import { openOrRefuse } from './tool-lookup-node-type.ts';

/**
 * The node type `tool_call`: reads the calls of a model's `message` and lets through only those of tools that were offered,
 * with arguments that fit. Gives `{ok, calls, refusals, repair}`: each call `{id?, name, api, tool, call, arguments}` as its
 * documentation names it, each refusal `{name, reason, message, suggestion?}`, and `repair`, what the model may be told to
 * write the call again, null where there is nothing to correct. All calls or none: where one is refused none is let through.
 *
 *     - name: call
 *       type: tool_call
 *       catalogue: shop.tools
 *       on_refused: tell             # or fail: the node fails with ToolCallRefused (after the repair turn)
 *       inputs: {message: "${choose.output}", offered: "${find.output.ids}"}
 */
export function toolCallNodeType(): NodeType {
  return {
    name: 'tool_call',
    version: 1,
    effects: 'pure',
    keys: ['catalogue', 'on_refused'],
    inspect: inspectToolCall,
    prepare: async (node, { files }) => prepareToolCall(node, files),
  };
}

const refusedForms = ['tell', 'fail'];

function inspectToolCall(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const diagnostics = settingMistakes(node);
  const { catalogue } = node.settings;
  const file =
    diagnostics.length > 0 ? { files: [], diagnostics: [] } : inspectCatalogue(node, String(catalogue), files);
  return {
    diagnostics: [...diagnostics, ...file.diagnostics],
    parameters: [
      { name: 'message', required: true },
      { name: 'offered', required: false, type: 'list' },
    ],
    takesAnyInput: false,
    toleratedInputs: 'unknown or missing',
    outputType: 'object',
    files: file.files,
  };
}

function settingMistakes(node: NodeDefinition): readonly Diagnostic[] {
  const { catalogue, on_refused: onRefused = 'tell' } = node.settings;
  const found: Diagnostic[] = [];
  if (typeof catalogue !== 'string' || catalogue === '') {
    found.push(wrongValue(node, 'catalogue', 'expected the path of a .tools file, or of a file of tools'));
  }
  if (!refusedForms.includes(String(onRefused))) {
    found.push(wrongValue(node, 'on_refused', `expected one of ${refusedForms.join(', ')}`));
  }
  return found;
}

async function prepareToolCall(node: NodeDefinition, files: FlowFiles): Promise<PreparedNode> {
  const [first] = settingMistakes(node);
  if (first !== undefined) throw new PrepareError({ code: first.code, message: first.message, retryable: false });
  const path = String(node.settings['catalogue']);
  const { catalogue } = openOrRefuse(path, files);
  const fails = node.settings['on_refused'] === 'fail';
  return {
    parametersWithDefault: new Set(['offered']),
    parts: () => ({ [`catalogue ${path}`]: textFileDigest(files.resolve(path) ?? ''), on_refused: String(fails) }),
    run: ({ message = null, offered = null }) => {
      const tools = offered === null ? catalogue.tools : offeredTools(offered, (name) => catalogue.find(name));
      const guard = new ToolGuard(tools, (name) => catalogue.find(name) !== undefined);
      return outcomeOf(callsOfMessage(message), guard, fails);
    },
  };
}

function offeredTools(offered: JsonValue, find: (name: string) => CatalogueTool | undefined): readonly CatalogueTool[] {
  const names = isMapping(offered) ? listOf(offered['ids']) : listOf(offered);
  return names.flatMap((name) => (typeof name === 'string' ? (find(name) ?? []) : []));
}

function outcomeOf(calls: readonly WrittenCall[], guard: ToolGuard, fails: boolean): NodeOutcome {
  const verdicts = calls.map((call) => ({ call, verdict: guard.check(call) }));
  const refusals = verdicts.flatMap(({ verdict }) => (verdict.ok ? [] : [refusalValue(verdict)]));
  if (calls.length === 0) {
    refusals.push({ name: null, reason: 'no_call', message: 'The message asks for no call.' });
  }
  const message = refusals.map(({ message }) => String(message)).join('\n');
  if (refusals.length > 0 && fails) {
    return { ok: false, error: { code: 'ToolCallRefused', message, retryable: false } };
  }
  const isAllowed = refusals.length === 0;
  const needsRepair = refusals.some(({ reason }) => reason !== 'none_of_these' && reason !== 'no_call');
  return {
    ok: true,
    output: {
      ok: isAllowed,
      calls: isAllowed ? verdicts.flatMap(({ call, verdict }) => (verdict.ok ? [callValue(call, verdict)] : [])) : [],
      refusals,
      repair: needsRepair ? message : null,
    },
  };
}

function refusalValue({ name, reason, message, suggestion }: Extract<CallVerdict, { ok: false }>): JsonObject {
  return { name, reason, message, ...(suggestion === undefined ? {} : { suggestion }) };
}

function callValue({ id }: WrittenCall, { tool, arguments: given }: Extract<CallVerdict, { ok: true }>): JsonObject {
  return {
    ...(id === undefined ? {} : { id }),
    name: tool.name,
    api: tool.own,
    tool: tool.group,
    call: tool.call ?? null,
    arguments: given,
  };
}
