import type { NodeError } from '../node/node-error.ts';
import { type NodeParts, unseenIn } from '../node/node-parts.ts';
import type {
  ConnectionSource,
  FlowFiles,
  NodeOutcome,
  NodeType,
  PrepareContext,
  PreparedNode,
} from '../node/node-type.ts';
import { PrepareError } from '../node/node-type.ts';
import { ScopeSlots } from '../node/scope-slots.ts';
import type { ImageFetcher } from '../node/services.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { EarlierRun } from '../record/earlier-run.ts';
import { identityHash } from '../record/fingerprint.ts';
import type { NodeRun } from '../record/node-run.ts';
import { Redactor } from '../secrets/redactor.ts';
import type { Value, Values } from '../value/json.ts';
import { pythonJson } from '../value/python-json.ts';
import { pythonStr } from '../value/python-text.ts';
import { type BudgetOptions, withBudgets } from './budget-places.ts';
import { builtInTools } from './built-in-tools.ts';
import { compilePlan } from './compile-plan.ts';
import { decidingParts, definitionParts } from './define-parts.ts';
import { resolveEnvironment } from './environment-variables.ts';
import { type ForecastNode, forecastRow, type RowPlace } from './forecast-row.ts';
import { learningConnections, textsIn } from './learning-connections.ts';
import { type ImageSources, loadNodeImages, mayHoldImages } from './load-images.ts';
import { redactedFlow } from './redacted-flow.ts';
import { redactedError } from './redacted-run.ts';
import { RowSoFar } from './row-so-far.ts';
import { runAggregation } from './run-aggregation.ts';
import type { RowOptions, RunnableFlow } from './run-flow.ts';
import { runRow } from './run-row.ts';
import { mayBeTaken, standingIn, withCache } from './with-cache.ts';
import { withDepthLimit } from './with-depth-limit.ts';
import { withFeedBack } from './with-feed-back.ts';
import { withFinished } from './with-finished.ts';
import { type OracleRule, withOracles } from './with-oracle.ts';
import { unchangedSince, withReads } from './with-reads.ts';
import { withRedactedError } from './with-redacted-error.ts';
import { withTimeout } from './with-timeout.ts';

export interface PrepareOptions extends BudgetOptions {
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly files: FlowFiles;
  readonly connections: ConnectionSource;
  /** Learns every connection that is asked for; one of its own where absent. */
  readonly redactor?: Redactor;
  /** Variables given for this run; they win over the flow's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments of the class that is the flow; never part of a definition, so that no record holds them. */
  readonly init?: Values;
  /** Milliseconds since the epoch, with fractions. */
  readonly now?: () => number;
  /** Gets the images that inputs name by an address; without it they are refused. */
  readonly imageFetcher?: ImageFetcher;
  /** Whether code runs in threads of its own: one that computes without end then holds up nothing but itself. */
  readonly inThreads?: boolean;
  /** Time limit of nodes that have none of their own. */
  readonly nodeTimeoutMs?: number;
  /** Only these nodes are made ready; for running one node alone. */
  readonly only?: ReadonlySet<string>;
  /** Gives every record the fingerprint of what its output depends on. */
  readonly fingerprints?: boolean;
  /** Run whose outputs stand in for nodes that nothing has changed for; implies fingerprints. */
  readonly since?: EarlierRun;
  /** Nodes that give what is expected of them. */
  readonly oracle?: OracleRule;
}

export type Prepared =
  | { readonly ok: true; readonly flow: RunnableFlow }
  | { readonly ok: false; readonly error: LoadError };

/** Why a flow could not be made ready, with the node whose fault it is. */
export interface LoadError extends NodeError {
  readonly node?: string;
}

/** Makes a plan runnable: every node is prepared once, in plan order; the first that cannot be ends the attempt. */
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
  const { redactor } = options;
  const closing: (() => void | Promise<void>)[] = [];
  let begun: Promise<unknown> = Promise.resolve();
  const close = async (): Promise<void> => {
    await begun;
    for (const step of closing.reverse()) await step();
    closing.length = 0;
  };
  const context: PrepareContext = {
    flow: new ScopeSlots(),
    files: options.files,
    connections: options.connections,
    redactor,
    environment: options.environment,
    init: options.init ?? {},
    flowId: plan.flowId,
    messageFormat: plan.writtenFormat,
    valuesOpenRoles: plan.valuesOpenRoles,
    isPromptFlow: plan.isPromptFlow,
    ...(plan.modules === undefined ? {} : { modules: plan.modules }),
    inThreads: options.inThreads === true,
    ...(options.imageFetcher === undefined ? {} : { imageFetcher: options.imageFetcher }),
    onClose: (step) => closing.push(step),
  };
  const failed = await importModules(plan, options, context);
  if (failed !== undefined) {
    await close();
    return { ok: false, error: failed };
  }
  begun = beginNodes(plan, options, context);
  const budgeted = withBudgets(plan, options, options.now ?? preciseNow);
  const expected = withOracles(plan, options.oracle);
  const prepared: PreparedNode[] = [];
  const forecasts: ForecastNode[] = [];
  const definitions: Record<string, NodeParts> = {};
  const kept: ReadyNode[] = [];
  for (const node of plan.nodes) {
    const ready = await prepareNode(node, options, context);
    if ('error' in ready) {
      await close();
      return { ok: false, error: loadError(plan, node.name, ready.error) };
    }
    prepared.push(expected(node, budgeted(node, ready.node)));
    forecasts.push(ready.forecast);
    if (ready.definition !== undefined) definitions[node.name] = ready.definition;
    kept.push(ready);
  }
  const sources = imageSources(plan, options);
  const run = runnable(plan, prepared, sources, options.now ?? preciseNow, close);
  const forecast = (inputs: Values, place: RowPlace) => forecastRow(plan, forecasts, inputs, place);
  return {
    ok: true,
    flow: {
      ...run,
      ...redactedFlow(run, redactor),
      redactor,
      forecastRow: forecast,
      definitions: redactor.value(definitions),
      unseen: () => unseenOf(plan, kept),
    },
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
  { files, imageFetcher }: PrepareOptions,
): ImageSources {
  return { folder: files.folder, format: messageFormat, fetcher: imageFetcher, inTexts };
}

/** It never changes, and Node looks anew whether it may be read. */
const { timeOrigin } = performance;

/** Milliseconds since the epoch, to the microsecond. */
export function preciseNow(): number {
  return timeOrigin + performance.now();
}

function runnable(
  plan: Plan,
  prepared: readonly PreparedNode[],
  sources: ImageSources,
  now: () => number,
  close: () => Promise<void>,
): Omit<RunnableFlow, 'definitions' | 'forecastRow' | 'redactor' | 'unseen'> {
  const lineNodes = new Set(plan.nodes.filter((node) => !node.aggregation).map((node) => node.id));
  const images = mayHoldImages(plan) ? { images: sources } : {};
  const alone = { ...sources, format: plan.writtenFormat };
  const compiled = { ...compilePlan(plan, prepared, lineNodes), ...images };
  return {
    plan,
    runRow: (inputs, row = {}) => runRow(compiled, inputs, row, now),
    runAggregation: (rows, row = {}) => runAggregation(plan, prepared, rows, row, now),
    runNode: (name, inputs, row = {}) => runNode({ plan, prepared, sources: alone, now }, name, inputs, row),
    [Symbol.asyncDispose]: close,
  };
}

async function prepareNode(
  planNode: PlanNode,
  options: PrepareOptions,
  context: PrepareContext,
): Promise<ReadyNode | { readonly error: NodeError }> {
  if (options.only !== undefined && !options.only.has(planNode.name)) {
    const node = notPrepared(planNode);
    return { node, forecast: { prepared: node, isPure: false, find: () => undefined } };
  }
  const type =
    builtInTools.get(planNode.definition.source?.tool ?? '') ?? options.nodeTypes.get(planNode.definition.type);
  if (type === undefined) return { error: unsupportedType(planNode) };
  try {
    return await ready(planNode, type, await type.prepare(planNode.definition, context), options, context);
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    return { error: error.error };
  }
}

function unsupportedType({ definition: { name, source, type } }: PlanNode): NodeError {
  if (source === undefined) {
    const message = `Node ${name} does not have source defined.`;
    return { code: 'UserErrorException', message, retryable: false, codes: ['UserError'] };
  }
  const written = type === '' ? 'None' : `ToolType.${type.toUpperCase()}`;
  const message = `Tool type ${written} is not supported yet.`;
  return { code: 'NotImplementedError', message, retryable: false, codes: ['SystemError', 'NotImplementedError'] };
}

async function ready(
  node: PlanNode,
  type: NodeType,
  prepared: PreparedNode,
  options: PrepareOptions,
  context: PrepareContext,
): Promise<ReadyNode> {
  const timeoutMs = node.timeoutMs ?? options.nodeTimeoutMs;
  const limited = timeoutMs === undefined ? prepared : withTimeout(prepared, timeoutMs);
  const isPure = type.effects === 'pure';
  if (options.fingerprints !== true && options.since === undefined) {
    return { node: wrapped(limited, node, context), forecast: { prepared, isPure, find: () => undefined } };
  }
  const parts = await decidingParts(prepared, node.definition, type, context);
  const identity = identityHash({ kind: type.name, version: type.version, parts });
  const { definition } = node;
  const since = options.since && (await unchangedSince(options.since, prepared, definition));
  const rule = { identity, since, isKept: mayBeTaken(type, prepared, definition) };
  return {
    node: wrapped(withCache(withReads(limited), rule), node, context),
    forecast: { prepared, isPure, find: (inputs, call) => standingIn(prepared, rule, inputs, call) },
    definition: definitionParts(node, type, parts, prepared),
    isKept: rule.isKept,
  };
}

/** Of nodes whose outputs a later run may take, what their code did that nobody can compare. */
function unseenOf({ nodes }: Plan, ready: readonly ReadyNode[]): ReturnType<RunnableFlow['unseen']> {
  const told = nodes.flatMap(({ name, definition: { settings } }, at) => {
    const { node, isKept } = ready[at] ?? {};
    const unseen = isKept === true && settings['cache'] === undefined ? unseenIn(node?.reads?.() ?? {}) : [];
    return unseen.length === 0 ? [] : [[name, unseen] as const];
  });
  return Object.fromEntries(told);
}

interface ReadyNode {
  readonly node: PreparedNode;
  readonly forecast: ForecastNode;
  readonly definition?: NodeParts;
  /** Whether a later run may take its outputs. */
  readonly isKept?: boolean;
}

function wrapped(prepared: PreparedNode, { feedBack }: PlanNode, { redactor }: PrepareContext): PreparedNode {
  const limited = withRedactedError(withDepthLimit(prepared), redactor);
  return withFinished(feedBack === undefined ? limited : withFeedBack(limited, feedBack));
}

function notPrepared(node: PlanNode): PreparedNode {
  return {
    parametersWithDefault: new Set(),
    run: () => {
      throw new Error(`bug: node ${node.name} was not prepared`);
    },
  };
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
    node,
  };
}

/** Prompt flow's rule: lists and mappings as JSON, all else as Python prints it. */
function environmentTexts(variables: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, environmentText(value)]));
}

function environmentText(value: Value): string {
  const isContainer = typeof value === 'object' && value !== null && isPlainContainer(value);
  return isContainer ? pythonJson(value) : pythonStr(value);
}

function isPlainContainer(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

interface PreparedFlow {
  readonly plan: Plan;
  readonly prepared: readonly PreparedNode[];
  readonly sources: ImageSources;
  readonly now: () => number;
}

async function runNode(
  { plan, prepared, sources, now }: PreparedFlow,
  name: string,
  inputs: Values,
  row: RowOptions,
): Promise<NodeRun> {
  const node = plan.nodes.find((candidate) => candidate.name === name);
  if (node === undefined) throw new Error(`bug: the flow has no node ${name}`);
  const alone = prepared[node.id];
  if (alone === undefined) throw new Error(`bug: node ${name} was not prepared`);
  const line = row.line ?? 0;
  const startedAt = now();
  const call = {
    runId: row.runId ?? 'run',
    line,
    node: name,
    signal: row.signal ?? new AbortController().signal,
    flowInputs: inputs,
    row: new RowSoFar((other) => row.finished?.get(other), undefined, now),
  };
  const loaded = await loadNodeImages(node, plan, inputs, sources);
  const outcome: NodeOutcome = loaded.ok
    ? await alone.run(withLiteralInputs(node, alone, loaded.inputs), call)
    : { ok: false, error: loaded.error };
  const durationMs = now() - startedAt;
  const shared = { line, node: name, kind: node.definition.type, inputs, startedAt, durationMs, ...outcome.report };
  if (outcome.ok) return { ...shared, status: 'Completed', output: outcome.output };
  return { ...shared, status: outcome.canceled === true ? 'Canceled' : 'Failed', error: outcome.error };
}

function withLiteralInputs(node: PlanNode, prepared: PreparedNode, given: Values): Values {
  const written = node.inputs.flatMap(({ name, binding }) =>
    binding.kind === 'literal' ? [[name, binding.value]] : [],
  );
  return { ...(prepared.literals ?? Object.fromEntries(written)), ...given };
}
