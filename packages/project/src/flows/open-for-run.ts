import {
  type CallCost,
  type ConnectionSource,
  didYouMean,
  type EarlierRun,
  type NodeWrapper,
  type OpenedFlow,
  type OpenFlowOptions,
  openFlow,
  type Plan,
  preventsRun,
  type RunnableFlow,
  type Usage,
} from '@unroll/engine';
import { type CallLimit, flowPython } from '@unroll/nodes';
import { type Composition, compose, imageFetcherOf } from '../connections/compose.ts';
import { resolveEnvironment } from '../connections/environment-values.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost, type System } from '../host/project-host.ts';
import { callCost } from '../prices/cost-of.ts';
import { nodePrices, unpricedNodes } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { openEarlierRun } from '../records/since-run.ts';
import type { FoundFlow } from './find-flow.ts';
import { FlowNotReady } from './flow-not-ready.ts';
import { type FlowSettings, variantReference } from './flow-settings.ts';
import { loadHelp } from './load-help.ts';
import type { OpenedCassette } from './open-cassette.ts';
import { toldWhereSlow } from './told-where-slow.ts';

export interface FlowForRun {
  readonly flow: RunnableFlow;
  readonly connections: ConnectionSource;
  readonly paces: Composition['paces'];
  readonly modelsInOrder: Composition['modelsInOrder'];
}

/**
 * Makes a flow ready to run and tells what is doubtful in it. Its spans are sent where the host says, until it is closed.
 *
 * @throws FlowNotReady when it cannot run
 */
export async function openForRun(found: FoundFlow, settings: FlowSettings, host: ProjectHost): Promise<FlowForRun> {
  const warn = (message: string): void => notify(host, { kind: 'warning', message });
  const { wrappers = [] } = settings;
  const tracing = await host.telemetry?.open({ redactor: host.redactor, warn });
  if (tracing === undefined) return await openWith(wrappers, found, settings, host);
  try {
    const { flow, ...opened } = await openWith([...wrappers, tracing.wrapper], found, settings, host);
    const close = async (): Promise<void> => {
      await flow[Symbol.asyncDispose]();
      await tracing[Symbol.asyncDispose]();
    };
    return { ...opened, flow: { ...tracing.flow(flow), [Symbol.asyncDispose]: close } };
  } catch (error) {
    await tracing[Symbol.asyncDispose]();
    throw error;
  }
}

async function openWith(
  wrappers: readonly NodeWrapper[],
  found: FoundFlow,
  settings: FlowSettings,
  host: ProjectHost,
): Promise<FlowForRun> {
  const { variant, connectionsFile, nodeTimeoutMs, only, overrides, shownFrom = host.folder } = settings;
  const tape = await openTape(settings, host);
  const composed = compose(host, found.folder, connectionsFile, tape?.cassette, limitsOf(settings), settings.permitsOf);
  checkLimits(settings, composed.connections);
  if (flowPython(found.folder).isStale) {
    notify(host, { kind: 'warning', message: 'requirements.txt changed since flow python setup: run that again' });
  }
  const { since, openEarlier = openEarlierRun } = settings;
  const earlier = since === undefined ? undefined : await openEarlier(since, host);
  const opened = await toldWhereSlow(
    'the flow is still being made ready',
    'its code is imported, and what serves its tools is started',
    host,
    openFlow(found, {
      ...composed,
      imageFetcher: imageFetcherOf(host, settings.allowsPrivateImages),
      shownFrom,
      overrides,
      environment: resolveEnvironment(settings.environment, composed.connections),
      ...(variant === undefined ? {} : { variant: variantReference(variant) }),
      ...(settings.init === undefined ? {} : { init: settings.init }),
      ...(nodeTimeoutMs === undefined ? {} : { nodeTimeoutMs }),
      ...(only === undefined ? {} : { only }),
      ...(settings.signal === undefined ? {} : { signal: settings.signal }),
      guardsImageFiles: settings.guardsImageFiles === true,
      ...(settings.rowBudget === undefined ? {} : { rowBudget: settings.rowBudget }),
      costOf: (plan) => usageCost(plan, composed.connections, host),
      fingerprints: true,
      wrappers: tape === undefined ? wrappers : [tape.wrapper, ...wrappers],
      inThreads: true,
      ...(earlier === undefined ? {} : rulesOf(earlier.run, settings)),
    }),
  );
  if (opened.flow === undefined) {
    tape?.abandon?.();
    await earlier?.[Symbol.asyncDispose]();
    throw notReady(opened, found, host);
  }
  // What a run cannot see it tells itself, once it ran, of the nodes that did it.
  const ofFlow = opened.diagnostics.filter(({ code }) => code !== 'CODE_READS_UNSEEN');
  const diagnostics = [...ofFlow, ...composed.connectionDoubts];
  if (diagnostics.length > 0) notify(host, { kind: 'diagnostics', diagnostics });
  const { flow } = opened;
  reportUnusedInit(flow.plan, settings, host);
  refuseUnpriced(flow.plan, composed.connections, settings, host);
  const close = async (): Promise<void> => {
    await flow[Symbol.asyncDispose]();
    await earlier?.[Symbol.asyncDispose]();
    await tape?.finish();
  };
  const { connections, paces, modelsInOrder } = composed;
  return { flow: { ...flow, [Symbol.asyncDispose]: close }, connections, paces, modelsInOrder };
}

/** What is taken from an earlier run. */
function rulesOf(
  before: EarlierRun,
  { given, trial }: FlowSettings,
): Pick<OpenFlowOptions, 'since' | 'oracle' | 'rerun'> {
  return {
    since: before,
    ...(given === undefined ? {} : { oracle: { ...given, before } }),
    ...(trial === undefined ? {} : { rerun: { nodes: trial.nodes, before } }),
  };
}

/** What cassettes need is loaded where there is one. */
async function openTape({ cassette, since }: FlowSettings, host: ProjectHost): Promise<OpenedCassette | undefined> {
  if (cassette === undefined) return undefined;
  const { openCassette } = await import('./open-cassette.ts');
  return openCassette(cassette, { since: since !== undefined }, host);
}

function reportUnusedInit(plan: Plan, { init = {} }: FlowSettings, host: ProjectHost): void {
  if (Object.keys(init).length === 0 || plan.nodes.some(({ definition }) => definition.type === 'flex')) return;
  const message = 'init is not used: it is for a class that is a flow, and this flow is made of nodes';
  notify(host, { kind: 'warning', message });
}

/** What a call of a node costs at listed prices. */
export function usageCost(
  plan: Plan,
  connections: ConnectionSource,
  system: System,
): (node: string, usage: Usage) => CallCost {
  const priceOf = nodePrices(plan, connections, findPrices(system));
  return (node, usage) => callCost(usage, priceOf(node, usage));
}

/** @throws ProjectFailure for a budget in money where nobody knows what a model costs */
function refuseUnpriced(
  plan: Plan,
  connections: ConnectionSource,
  { budget, rowBudget }: Pick<FlowSettings, 'budget' | 'rowBudget'>,
  system: System,
): void {
  const budgets = [budget, rowBudget, ...plan.loops.map((loop) => loop.budget)];
  if (budgets.every((one) => one?.cost === undefined)) return;
  const [node] = unpricedNodes(plan, connections, findPrices(system));
  if (node === undefined) return;
  throw new ProjectFailure(
    `a budget in dollars needs the price of every model, and that of node "${node}" is unknown`,
    {
      help: 'Name its model (`model`, or a deployment called after it), give its price (flow prices update --file FILE), or a budget in tokens.',
      code: 'PriceUnknown',
    },
  );
}

function limitsOf({ limitRpm, limitTpm, limitCalls }: FlowSettings): (connection: string) => CallLimit | undefined {
  return (connection) => {
    const [requests, tokens, calls] = [limitRpm, limitTpm, limitCalls].map(
      (limit) => limit?.byConnection[connection] ?? limit?.each,
    );
    if (requests === undefined && tokens === undefined && calls === undefined) return undefined;
    return {
      ...(requests === undefined ? {} : { requests }),
      ...(tokens === undefined ? {} : { tokens }),
      ...(calls === undefined ? {} : { calls }),
    };
  };
}

/** @throws ProjectFailure for a limit on a connection there is not: it would hold back nothing */
function checkLimits({ limitRpm, limitTpm, limitCalls }: FlowSettings, connections: ConnectionSource): void {
  for (const name of [limitRpm, limitTpm, limitCalls].flatMap((limit) => Object.keys(limit?.byConnection ?? {}))) {
    if (connections.find(name) !== undefined) continue;
    throw new ProjectFailure(`there is no connection "${name}" to limit`, {
      code: 'ConnectionNotFoundError',
      help: didYouMean(name, connections.names()),
    });
  }
}

function notReady({ diagnostics, loadError }: OpenedFlow, { folder }: FoundFlow, host: ProjectHost): FlowNotReady {
  if (loadError === undefined || diagnostics.some(preventsRun)) {
    return new FlowNotReady('the flow cannot run', { diagnostics, loadError });
  }
  const where = loadError.node === undefined ? '' : ` at node ${loadError.node}`;
  // What Prompt flow says of a constructor names its arguments; of all else the cause alone says more.
  const isConstructor = loadError.code === 'FlowEntryInitializationError';
  const { message: said } = isConstructor ? loadError : (loadError.cause ?? loadError);
  const { reason } = loadError;
  const message =
    reason === undefined || said.includes(reason.message) ? said : `${said} (${reason.code}) ${reason.message}`;
  const trace = (loadError.trace ?? []).map((line) => `  at ${line}`);
  const help = [...trace, loadError.help ?? loadHelp(message, folder, host) ?? []].flat().join('\n');
  const text = `the flow cannot be made ready${where}: ${message}`;
  return new FlowNotReady(text, { help: help || undefined, diagnostics, loadError });
}
