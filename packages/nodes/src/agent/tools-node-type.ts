import {
  budgetStoppedState,
  isMapping,
  type JsonValue,
  longestTimerMs,
  type NodeCall,
  type NodeDefinition,
  type NodeInspection,
  type NodeOutcome,
  type NodeReport,
  type NodeType,
  type PrepareContext,
  type PreparedNode,
} from '@unroll/engine';
import {
  codePaths,
  missingToolPackages,
  type ToolTable,
  toolConnectionDoubts,
  unseenToolReads,
} from '../tool/table/index.ts';
import { timeLeft } from './agent-clock.ts';
import { type AgentOptions, readOptions, toolsKeys } from './agent-options.ts';
import { readState } from './agent-state.ts';
import { keepPrinted, openOnce, type Printed, readOnce } from './open-once.ts';
import { runTurn, type TurnOutcome } from './run-turn.ts';

/**
 * The node type `tools`: makes the calls that a model asked for. Takes the `state` of an agent and the `message` of its
 * model, gives the next state. A state that has finished, and one whose model was bypassed, is handed on.
 */
export const toolsNodeType: NodeType = {
  name: 'tools',
  version: 1,
  effects: 'may write',
  keys: toolsKeys,
  inspect: (node, files): NodeInspection => {
    const { table, diagnostics } = readOnce(node, files);
    const isReported = node.settings['cache'] === undefined;
    return {
      diagnostics: [...diagnostics, ...(isReported ? unseenToolReads(table, files) : [])],
      parameters: [
        { name: 'state', required: true, type: 'object' },
        { name: 'message', required: true },
      ],
      takesAnyInput: false,
      outputType: 'object',
      files: table.files,
      loadedFiles: codePaths(table.entries),
      missingPackages: (connections) => missingToolPackages(table, connections),
      connectionDoubts: (connections) => toolConnectionDoubts(table, connections),
    };
  },
  prepare: prepareTools,
};

async function prepareTools(node: NodeDefinition, context: PrepareContext): Promise<PreparedNode> {
  const table = await openOnce(node, context);
  const options = readOptions(node.name, node.settings);
  const { agent: _name, ...chosen } = options;
  const mayWrite = table.tools.some(({ effects }) => effects === 'writes');
  return {
    parametersWithDefault: new Set(),
    ...(mayWrite ? { effects: 'writes' } : {}),
    ...table.reads,
    parts: async () => ({ ...(await table.parts()), options: JSON.stringify(chosen) }),
    run: ({ state = null, message = null }, call) => {
      if (isMapping(state) && state['finished'] !== false) return { ok: true, output: state };
      return act(state, message, table, options, call);
    },
  };
}

async function act(
  state: JsonValue,
  message: JsonValue,
  table: ToolTable,
  options: AgentOptions,
  call: NodeCall,
): Promise<NodeOutcome> {
  const open = readState(state);
  if (open === undefined) return { ok: false, error: wrongState(call.node) };
  const { signal, node, line, repeat = 0 } = call;
  const printed: Printed = { stdout: '', stderr: '' };
  const timer = new AbortController();
  const left = options.maxTimeMs === undefined ? undefined : timeLeft(call, options.agent, options.maxTimeMs);
  if (left !== undefined && left <= 0) timer.abort();
  const timeout =
    left === undefined ? undefined : setTimeout(() => timer.abort(), Math.min(Math.max(0, left), longestTimerMs));
  const toolCall = {
    signal: AbortSignal.any([signal, timer.signal]),
    caller: { node, line, repeat },
    ...(call.redactor === undefined ? {} : { redactor: call.redactor }),
  };
  const outcome = await keepPrinted(printed, () => runTurn(open, message, table.tools, options, toolCall));
  clearTimeout(timeout);
  if (signal.aborted) {
    const error = { code: 'Canceled', message: `node '${node}' was stopped`, retryable: true };
    return { ok: false, canceled: true, error };
  }
  const ended = timer.signal.aborted ? landed(outcome, options.maxTimeMs ?? 0) : outcome;
  return withReport(ended, printed, table.warnings);
}

/** The time of the agent is up: what came back in time is kept, and its loop goes round no more. */
function landed(outcome: TurnOutcome, maxTimeMs: number): TurnOutcome {
  if (!outcome.ok || outcome.state['finished'] === true) return outcome;
  const spent = `${maxTimeMs / 1000} s`;
  const warnings = [...outcome.warnings, `the agent had ${spent}: calls that still ran were stopped`];
  return { ok: true, state: budgetStoppedState(outcome.state, 'finished', spent), warnings };
}

function withReport(outcome: TurnOutcome, printed: Printed, more: readonly string[]): NodeOutcome {
  const warnings = [...more, ...outcome.warnings];
  const report: NodeReport = {
    ...(printed.stdout === '' && printed.stderr === '' ? {} : { logs: printed }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  return outcome.ok ? { ok: true, output: outcome.state, report } : { ok: false, error: outcome.error, report };
}

function wrongState(node: string) {
  const message = `node '${node}' was given no state of an agent: {finished, query, function_results, scratchpad}`;
  return { code: 'AgentStateInvalid', message, retryable: false };
}
