import {
  type Budget,
  type ConnectionOverride,
  type ConnectionSource,
  commandLineError,
  type Diagnostic,
  diagnosticJson,
  didYouMean,
  formatDiagnostics,
  type OpenedFlow,
  type OracleRule,
  openFlow,
  type Plan,
  preventsRun,
  type RunnableFlow,
  type Usage,
  type Values,
} from '@unroll/engine';
import { flowPython, type RateLimit } from '@unroll/nodes';
import {
  type Composition,
  compose,
  costOf,
  findPrices,
  nodePrices,
  openEarlierRun,
  ProjectFailure,
  resolveEnvironment,
  unpricedNodes,
} from '@unroll/project';
import type { Limit } from '../bulk/bulk-settings.ts';
import type { CommandCall } from '../command-spec.ts';
import type { Io } from '../io.ts';
import { variantReference } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import type { OpenedCassette } from '../runs/open-cassette.ts';
import { errorResult, printResult, unrunResult } from '../runs/run-result.ts';
import { usesColor } from '../text/style.ts';
import type { FoundFlow } from './locate.ts';
import { loadHelp } from './python/load-help.ts';

/** What of a run has a say in how its flow is made ready. */
export interface FlowSettings {
  readonly variant?: string;
  readonly connectionsFile?: string;
  readonly overrides: readonly ConnectionOverride[];
  /** A value `${connection.key}` stands for that of the connection. */
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of a class that is the flow. */
  readonly init?: Values;
  readonly nodeTimeoutMs?: number;
  readonly limitRpm?: Limit;
  readonly limitTpm?: Limit;
  /** Of the whole run. */
  readonly budget?: Budget;
  readonly rowBudget?: Budget;
  readonly only?: ReadonlySet<string>;
  /** Run whose outputs stand in where nothing has changed, as `sinceOf` gives it. */
  readonly since?: string | undefined;
  /** Outputs that nodes are given; all else that does not read them is taken from the run of `since`. */
  readonly given?: GivenOutputs | undefined;
}

export type GivenOutputs = Omit<OracleRule, 'before'>;

export interface FlowForRun {
  readonly flow: RunnableFlow;
  readonly connections: ConnectionSource;
  readonly paces: Composition['paces'];
}

/**
 * Makes a flow ready to run and tells what is wrong with it.
 *
 * @returns undefined when it cannot run, which was told
 */
export async function openForRun(
  found: FoundFlow,
  settings: FlowSettings,
  call: CommandCall,
): Promise<FlowForRun | undefined> {
  const { io } = call;
  const { variant, connectionsFile, nodeTimeoutMs, only, overrides } = settings;
  const tape = await openTape(call);
  const composed = compose(io, found.folder, connectionsFile, tape?.cassette, limitsOf(settings));
  checkLimits(settings, composed.connections);
  if (flowPython(found.folder).isStale) {
    io.stderr.write('warning: requirements.txt changed since flow python setup: run that again\n');
  }
  const earlier = settings.since === undefined ? undefined : openEarlierRun(settings.since, hostOf(call));
  const opened = await openFlow(found, {
    ...composed,
    shownFrom: io.folder,
    overrides,
    environment: resolveEnvironment(settings.environment, composed.connections),
    ...(variant === undefined ? {} : { variant: variantReference(variant) }),
    ...(settings.init === undefined ? {} : { init: settings.init }),
    ...(nodeTimeoutMs === undefined ? {} : { nodeTimeoutMs }),
    ...(only === undefined ? {} : { only }),
    ...(settings.rowBudget === undefined ? {} : { rowBudget: settings.rowBudget }),
    costOf: (plan) => pricedUsage(plan, composed.connections, io),
    fingerprints: true,
    inThreads: true,
    ...(earlier === undefined ? {} : { since: earlier.run }),
    ...(earlier === undefined || settings.given === undefined
      ? {}
      : { oracle: { ...settings.given, before: earlier.run } }),
  });
  if (opened.flow === undefined) {
    await earlier?.[Symbol.asyncDispose]();
    refuse(opened, found, call);
    return undefined;
  }
  tellDiagnostics(opened.diagnostics, call);
  const { flow } = opened;
  tellUnusedInit(flow.plan, settings, io);
  refuseUnpriced(flow.plan, composed.connections, settings, io);
  const close = async (): Promise<void> => {
    await flow[Symbol.asyncDispose]();
    await earlier?.[Symbol.asyncDispose]();
    tape?.finish();
  };
  const { connections, paces } = composed;
  return { flow: { ...flow, [Symbol.asyncDispose]: close }, connections, paces };
}

/** What cassettes need is loaded where there is one. */
async function openTape(call: CommandCall): Promise<OpenedCassette | undefined> {
  const { record, replay } = call.options;
  if (record === undefined && replay === undefined) return undefined;
  const { openCassette } = await import('../runs/open-cassette.ts');
  return openCassette(call);
}

function tellUnusedInit(plan: Plan, { init = {} }: FlowSettings, io: Io): void {
  if (Object.keys(init).length === 0 || plan.nodes.some(({ definition }) => definition.type === 'flex')) return;
  io.stderr.write('warning: init is not used: it is for a class that is a flow, and this flow is made of nodes\n');
}

function pricedUsage(plan: Plan, connections: ConnectionSource, io: Io): (node: string, usage: Usage) => number {
  const priceOf = nodePrices(plan, connections, findPrices(io));
  return (node, usage) => {
    const price = priceOf(node);
    return price === undefined ? 0 : costOf(usage, price);
  };
}

/** @throws ProjectFailure for a budget in money where nobody knows what a model costs */
function refuseUnpriced(
  plan: Plan,
  connections: ConnectionSource,
  { budget, rowBudget }: Pick<FlowSettings, 'budget' | 'rowBudget'>,
  io: Io,
): void {
  const budgets = [budget, rowBudget, ...plan.loops.map((loop) => loop.budget)];
  if (budgets.every((one) => one?.cost === undefined)) return;
  const [node] = unpricedNodes(plan, connections, findPrices(io));
  if (node === undefined) return;
  throw new ProjectFailure(
    `a budget in dollars needs the price of every model, and that of node "${node}" is unknown`,
    {
      help: 'Name its model (`model`, or a deployment called after it), give its price (flow prices update --file FILE), or a budget in tokens.',
      code: 'PriceUnknown',
    },
  );
}

function limitsOf({ limitRpm, limitTpm }: FlowSettings): (connection: string) => RateLimit | undefined {
  return (connection) => {
    const requests = limitRpm?.byConnection[connection] ?? limitRpm?.each;
    const tokens = limitTpm?.byConnection[connection] ?? limitTpm?.each;
    if (requests === undefined && tokens === undefined) return undefined;
    return { ...(requests === undefined ? {} : { requests }), ...(tokens === undefined ? {} : { tokens }) };
  };
}

/** @throws ProjectFailure for a limit on a connection there is not: it would hold back nothing */
function checkLimits({ limitRpm, limitTpm }: FlowSettings, connections: ConnectionSource): void {
  for (const name of [limitRpm, limitTpm].flatMap((limit) => Object.keys(limit?.byConnection ?? {}))) {
    if (connections.find(name) !== undefined) continue;
    throw new ProjectFailure(`there is no connection "${name}" to limit`, {
      code: 'ConnectionNotFoundError',
      help: didYouMean(name, connections.names()),
    });
  }
}

function refuse({ diagnostics, loadError }: OpenedFlow, { folder }: FoundFlow, call: CommandCall): void {
  if (call.options['json'] === true) {
    call.io.stdout.write(refusedJson(diagnostics, loadError));
    return;
  }
  tellDiagnostics(diagnostics, call);
  if (loadError !== undefined && !diagnostics.some(preventsRun)) {
    const where = loadError.node === undefined ? '' : ` at node ${loadError.node}`;
    const { message } = loadError.cause ?? loadError;
    const trace = (loadError.trace ?? []).map((line) => `  at ${line}`);
    const help = [...trace, loadHelp(message, folder, call.io) ?? []].flat().join('\n');
    throw new ProjectFailure(`the flow cannot be made ready${where}: ${message}`, { help: help || undefined });
  }
  call.io.stderr.write('Nothing ran: mend what is listed, or see flow help check.\n');
}

/** Prompt flow's own error class and message where a mistake has one, so that other tools read what they know. */
function refusedJson(diagnostics: readonly Diagnostic[], loadError: OpenedFlow['loadError']): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors.find(({ promptFlow }) => promptFlow !== undefined) ?? errors[0];
  const error = loadError ?? first?.promptFlow ?? first ?? { code: 'FlowNotReady', message: 'the flow cannot run' };
  const node = 'node' in error ? error.node : undefined;
  return printResult({
    ...unrunResult(errorResult(commandLineError(error), node)),
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnosticJson(diagnostic) })) as unknown as readonly Values[],
  });
}

function tellDiagnostics(diagnostics: readonly Diagnostic[], { io, options }: CommandCall): void {
  if (diagnostics.length === 0 || options['json'] === true) return;
  io.stderr.write(`${formatDiagnostics(diagnostics, { color: usesColor(io.stderr, io, options['color']) })}\n\n`);
}
