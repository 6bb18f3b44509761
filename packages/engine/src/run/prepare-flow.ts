import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import type { NodeError } from '../node/node-error.ts';
import { type PrepareContext, PrepareError } from '../node/node-type.ts';
import { ScopeSlots } from '../node/scope-slots.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { Redactor } from '../secrets/redactor.ts';
import { compilePlan } from './compile-plan.ts';
import { environmentTexts, resolveEnvironment } from './environment-variables.ts';
import { forecastRow } from './forecast-row.ts';
import { learningConnections, textsIn } from './learning-connections.ts';
import { type ImageSources, mayHoldImages } from './load-images.ts';
import { nodeWrappers } from './node-wrappers.ts';
import { preciseNow } from './precise-now.ts';
import { prepareNode, type ReadyNode } from './prepare-node.ts';
import type { PrepareOptions } from './prepare-options.ts';
import { redactedFlow } from './redacted-flow.ts';
import { redactedError } from './redacted-run.ts';
import { runAggregation } from './run-aggregation.ts';
import type { RunnableFlow } from './run-flow.ts';
import { runNode } from './run-node.ts';
import { runRow } from './run-row.ts';
import { rerunParts } from './with-rerun.ts';

export type Prepared =
  | { readonly ok: true; readonly flow: RunnableFlow }
  | { readonly ok: false; readonly error: LoadError };

/** Why a flow could not be made ready, with the node whose fault it is. */
export interface LoadError extends NodeError {
  readonly node?: string;
  /** What was raised beneath `cause`, where that does not say it: a package of tools could not be imported. */
  readonly reason?: NodeError['cause'];
}

/** Makes a plan runnable: every node is prepared once, in the order they are written in; the first that cannot be ends the attempt. */
export async function prepareFlow(plan: Plan, given: PrepareOptions): Promise<Prepared> {
  const { redactor = new Redactor() } = given;
  const connections = learningConnections(given.connections, redactor);
  const written = { ...environmentTexts(plan.environmentVariables), ...given.environment };
  const environment = resolveEnvironment(written, connections);
  if (!environment.ok) return environment;
  redactor.learnEnvironment({ ...environment.values, ...textsIn(given.init ?? {}) });
  const prepared = await prepareNodes(plan, { ...given, redactor, connections, environment: environment.values });
  return prepared.ok ? prepared : { ok: false, error: redactedError(prepared.error, redactor) };
}

type Options = PrepareOptions & Pick<PrepareContext, 'redactor' | 'environment'>;

async function prepareNodes(plan: Plan, options: Options): Promise<Prepared> {
  const closing: (() => void | Promise<void>)[] = [];
  let begun: Promise<unknown> = Promise.resolve();
  const closeNow = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  const close = async (): Promise<void> => {
    await begun;
    await closeNow();
  };
  const { signal } = options;
  const giveUp = (): void => void closeNow();
  signal?.addEventListener('abort', giveUp, { once: true });
  const context = contextOf(plan, options, (step) => closing.push(step));
  const failed = await importModules(plan, options, context);
  if (failed === undefined) begun = beginNodes(plan, options, context);
  const nodes = failed === undefined ? await readyNodes(plan, options, context) : failed;
  signal?.removeEventListener('abort', giveUp);
  if (Array.isArray(nodes)) return { ok: true, flow: runnable(plan, nodes, options, close) };
  await close();
  return { ok: false, error: signal?.aborted === true ? givenUp : (nodes as LoadError) };
}

const givenUp: LoadError = { code: 'Canceled', message: 'it was given up before it was ready', retryable: false };

/** The nodes by their ids, or why the first that cannot be made ready cannot. */
async function readyNodes(
  plan: Plan,
  options: Options,
  context: PrepareContext,
): Promise<readonly ReadyNode[] | LoadError> {
  const surroundings = { wrappers: nodeWrappers(plan, options), partOf: rerunParts(plan, options.rerun) };
  const nodes: ReadyNode[] = [];
  for (const [id, node] of asWritten(plan)) {
    const ready = await prepareNode(node, options, context, surroundings);
    if (options.signal?.aborted === true) return givenUp;
    if ('error' in ready) return loadError(plan, node.name, ready.error);
    nodes[id] = ready;
  }
  return nodes;
}

/** Nodes with their ids, as they follow each other in the file. */
function asWritten({ nodes }: Plan): readonly (readonly [id: number, node: PlanNode])[] {
  const placed = nodes.map((node, id) => ({ id, node, start: node.definition.locate([])?.start ?? 0 }));
  return placed.toSorted((one, other) => one.start - other.start).map(({ id, node }) => [id, node]);
}

function contextOf(plan: Plan, options: Options, onClose: PrepareContext['onClose']): PrepareContext {
  const { files, connections, redactor, environment, init = {}, inThreads = false, imageFetcher } = options;
  return {
    flow: new ScopeSlots(),
    files,
    connections,
    redactor,
    environment,
    init,
    inThreads,
    ...(imageFetcher === undefined ? {} : { imageFetcher }),
    flowId: plan.flowId,
    messageFormat: plan.writtenFormat,
    valuesOpenRoles: plan.valuesOpenRoles,
    isStandard: plan.isStandard,
    ...(plan.modules === undefined ? {} : { modules: plan.modules }),
    onClose,
  };
}

async function importModules(
  { modules = [] }: Plan,
  { nodeTypes }: PrepareOptions,
  context: PrepareContext,
): Promise<LoadError | undefined> {
  if (modules.length === 0) return undefined;
  try {
    for (const type of nodeTypes.values()) await type.importModules?.(modules, context);
    return undefined;
  } catch (error) {
    if (error instanceof PrepareError) return error.error;
    throw error;
  }
}

function beginNodes({ nodes }: Plan, { nodeTypes, only }: PrepareOptions, context: PrepareContext): Promise<unknown> {
  const wanted = nodes.filter(({ name }) => only === undefined || only.has(name));
  const begun = wanted.map(({ definition }) => nodeTypes.get(definition.type)?.begin?.(definition, context));
  return Promise.allSettled(begun);
}

function imageSources(
  { messageFormat, readsImageTexts: inTexts = false }: Plan,
  { files, imageFetcher, guardsImageFiles = false }: PrepareOptions,
): ImageSources {
  return { folder: files.folder, format: messageFormat, fetcher: imageFetcher, inTexts, isGuarded: guardsImageFiles };
}

function runnable(plan: Plan, nodes: readonly ReadyNode[], options: Options, close: () => Promise<void>): RunnableFlow {
  const { redactor, now = preciseNow } = options;
  const prepared = nodes.map(({ node }) => node);
  const forecasts = nodes.map(({ forecast }) => forecast);
  const sources = imageSources(plan, options);
  const lineNodes = new Set(plan.nodes.filter((node) => !node.aggregation).map((node) => node.id));
  const images = mayHoldImages(plan) ? { images: sources } : {};
  const flow = { plan, prepared, sources, now };
  const alone = { ...flow, sources: { ...sources, format: plan.writtenFormat } };
  const compiled = { ...compilePlan(plan, prepared, lineNodes), ...images };
  const run: Parameters<typeof redactedFlow>[0] = {
    plan,
    runRow: (inputs, row = {}) => runRow(compiled, inputs, row, now),
    runAggregation: (rows, row = {}) => runAggregation(flow, rows, row),
    runNode: (name, inputs, row = {}) => runNode(alone, name, inputs, row),
  };
  return {
    plan,
    redactor,
    ...redactedFlow(run, redactor),
    forecastRow: (inputs, place) => forecastRow(plan, forecasts, inputs, place),
    definitions: redactor.value(byName(plan, nodes, ({ definition }) => definition)),
    unseen: () => byName(plan, nodes, ({ unseen }) => (unseen().length === 0 ? undefined : unseen())),
    codeChanged: () => [...new Set(nodes.flatMap(({ codeChanged }) => codeChanged()))].toSorted(),
    changedReads: (earlier) => changedReadsOf(plan, nodes, earlier),
    [Symbol.asyncDispose]: close,
  };
}

async function changedReadsOf(
  plan: Plan,
  nodes: readonly ReadyNode[],
  earlier: Readonly<Record<string, FingerprintInputs>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const [at, { name }] of plan.nodes.entries()) {
    const parts = await nodes[at]?.changedReads(earlier[name] ?? {});
    if (parts !== undefined && parts.length > 0) found[name] = parts;
  }
  return found;
}

/** What is told of the nodes, by their names; nodes of which nothing is told are left out. */
function byName<T>(
  plan: Plan,
  nodes: readonly ReadyNode[],
  tell: (node: ReadyNode) => T | undefined,
): Readonly<Record<string, T>> {
  const named = nodes.flatMap((node, at) => {
    const name = plan.nodes[at]?.name;
    const value = tell(node);
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

/** A tool that cannot be had is told with its node; code or a prompty that is the flow is not. */
function loadError({ answersBy }: Plan, node: string, error: NodeError): LoadError {
  if (answersBy !== undefined) return { ...error, node };
  const isNamed = error.message.includes(`(${error.code}) `);
  return {
    ...error,
    code: 'ResolveToolError',
    message: `Tool load failed in '${node}': ${isNamed ? '' : `(${error.code}) `}${error.message}`,
    cause: { code: error.code, message: error.message },
    ...(error.cause === undefined ? {} : { reason: error.cause }),
    node,
  };
}
