import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  bindNodeInputs,
  type ConnectionSource,
  isMapping,
  type JsonObject,
  type JsonValue,
  locateFlow,
  mappingOf,
  type NodeError,
  type NodeEvent,
  type NodeRun,
  noFlowInputs,
  openFlow,
  type RunnableFlow,
  stringifyJson,
  testsAggregation,
} from '@unroll/engine';
import { imageFetcher, nodeTypes } from '@unroll/nodes';
import { bindTestInputs, executorVariants, promptFlow, promptFlowCodes, unvaried } from '@unroll/promptflow';
import { parseDocument } from 'yaml';
import { type PromptFlowCase, promptFlowFolder } from './case.ts';
import { caseConnections } from './case-connections.ts';
import { caseError, loadError, nodeResult } from './case-error.ts';
import { startReplayServer } from './replay-server.ts';
import { runBatch } from './run-batch.ts';

/** A flow's folder and its definition file, both absolute. */
interface FlowPlace {
  readonly folder: string;
  readonly file: string;
}

/** What a case gave: the result in the form of its `expect`, and what was wrong with its requests to models. */
export interface CaseOutcome {
  readonly result: JsonObject;
  readonly problems: readonly string[];
  /** Folder the flow was run in: a copy, so that tools may write. */
  readonly flowFolder: string;
  /** Names of the nodes each node waits for, with theirs; empty where the flow did not load. */
  readonly ancestors: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of its aggregation nodes. */
  readonly aggregation: ReadonlySet<string>;
}

export async function runCase(one: PromptFlowCase): Promise<CaseOutcome> {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'promptflow-case-')));
  const flowFolder = join(parent, 'flows', one.flow);
  cpSync(join(promptFlowFolder, 'flows', one.flow), flowFolder, { recursive: true });
  copyIncluded(one, parent);
  const definition = join(flowFolder, one.flow_file ?? 'flow.dag.yaml');
  const several = severalDefinitions(flowFolder, one);
  if (several !== undefined) return { result: several, problems: [], flowFolder, ...noPlan };
  if (one.mode !== 'test') forget(definition, commandLineKeys);
  installTools(flowFolder, packageTools(one, flowFolder));
  try {
    await using server = one.llm === undefined ? undefined : await startReplayServer(one.llm);
    const connections = caseConnections(one, server?.url);
    const { result, ancestors, aggregation } = await runIn(flowFolder, one, connections);
    const unused = result['status'] === 'Failed' ? [] : (server?.unused() ?? []);
    return { result, problems: [...(server?.problems ?? []), ...unused], flowFolder, ancestors, aggregation };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** A test of a flow is given its folder, in which there may be but one definition; the other cases name the file. */
function severalDefinitions(folder: string, { mode, flow_file: file }: PromptFlowCase): JsonObject | undefined {
  if (mode !== 'test' || file !== undefined) return undefined;
  const found = locateFlow(folder);
  if (found.ok || !found.message.startsWith('Multiple files ')) return undefined;
  const error = { code: 'ValidationException', message: found.message, retryable: false };
  return { error: { stage: 'run', ...caseError(error) } };
}

/**
 * The original sets a flow's variables and lays its includes in where it tests a flow; its executor, which the other
 * cases ask, does not.
 */
const commandLineKeys = /^(?:environment_variables|additional_includes):.*\n(?:[ \t]+.*\n?|\s*\n|- .*\n?)*/gm;

function forget(file: string, part: RegExp): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const kept = text.replace(part, '');
  if (kept !== text) writeFileSync(file, kept);
}

/** What a flow includes from beside its folder lies beside its copy, too. */
function copyIncluded({ flow, flow_file: file = 'flow.dag.yaml' }: PromptFlowCase, parent: string): void {
  const folder = join(promptFlowFolder, 'flows', flow);
  for (const written of includesOf(join(folder, file))) {
    const source = join(folder, written);
    const place = relative(promptFlowFolder, source);
    if (place.startsWith('..') || !relative(folder, source).startsWith('..')) continue;
    for (const path of [place, place.replace(/\.zip$/, '')].filter((one) => existsSync(join(promptFlowFolder, one))))
      cpSync(join(promptFlowFolder, path), join(parent, path), { recursive: true });
  }
}

function includesOf(definition: string): readonly string[] {
  const text = existsSync(definition) ? readFileSync(definition, 'utf8') : '';
  const { additional_includes: written } = mappingOf(parseDocument(text).toJS() as JsonValue);
  return Array.isArray(written) ? written.map(String) : [];
}

/** A file of definitions lies in the flow's folder or in that of the cases. */
function packageTools({ package_tools: written = {} }: PromptFlowCase, flowFolder: string): JsonObject {
  if (typeof written !== 'string') return written;
  const path = [flowFolder, join(promptFlowFolder, 'flows'), promptFlowFolder]
    .map((folder) => join(folder, written))
    .find((one) => existsSync(one));
  if (path === undefined) throw new Error(`the case names package tools in ${written}, which is not there`);
  return parseDocument(readFileSync(path, 'utf8')).toJS() as JsonObject;
}

/** A package in the folder of the flow, where its Python looks first. */
function installTools(folder: string, tools: JsonObject): void {
  if (Object.keys(tools).length === 0) return;
  const metadata = join(folder, 'case_tools-1.dist-info');
  mkdirSync(metadata);
  writeFileSync(join(metadata, 'METADATA'), 'Metadata-Version: 2.1\nName: case-tools\nVersion: 1\n');
  writeFileSync(join(metadata, 'entry_points.txt'), '[package_tools]\ncase_tools = case_tools:list_tools\n');
  const listed = JSON.stringify(stringifyJson(tools));
  writeFileSync(
    join(folder, 'case_tools.py'),
    `import json\n\n\ndef list_tools():\n    return json.loads(${listed})\n`,
  );
}

async function runIn(
  folder: string,
  one: PromptFlowCase,
  connections: ConnectionSource,
): Promise<Pick<CaseOutcome, 'result' | 'ancestors' | 'aggregation'>> {
  const location = { folder, file: join(folder, one.flow_file ?? 'flow.dag.yaml') };
  const opened = await openFlow(location, {
    nodeTypes: nodeTypes({ extensions: [promptFlow()] }),
    imageFetcher: imageFetcher(),
    connections,
    shownFrom: folder,
    ...(one.variant === undefined ? {} : { variant: one.variant }),
    ...(one.mode === 'test' ? {} : { applyVariants: one.mode === 'node' ? unvaried : executorVariants }),
    ...(one.environment_variables === undefined ? {} : { environment: one.environment_variables }),
    ...initOf(one),
    ...(one.mode === 'node' ? { only: new Set([one.node ?? '']) } : {}),
  });
  // Looked at before the flow is made ready.
  if (one.mode === 'batch' && opened.spec?.answersBy === undefined && opened.spec?.inputs.length === 0) {
    await opened.flow?.[Symbol.asyncDispose]();
    return { result: { error: { stage: 'batch', ...caseError(noFlowInputs()) } }, ...noPlan };
  }
  if (opened.flow === undefined) return { result: { error: loadError(opened, one.mode, location.file) }, ...noPlan };
  await using flow = opened.flow;
  const aggregation = new Set(flow.plan.nodes.flatMap((node) => (node.aggregation ? [node.name] : [])));
  return { result: await runMode(flow, location, one), ancestors: ancestorsOf(flow), aggregation };
}

const noPlan = { ancestors: new Map<string, ReadonlySet<string>>(), aggregation: new Set<string>() };

/** Arguments of the constructor of a class that is a flow. */
function initOf({ batch_options: batch = {}, run_options: run = {} }: PromptFlowCase): { readonly init?: JsonObject } {
  const init = batch['init_kwargs'] ?? run['init_kwargs'];
  return isMapping(init) ? { init } : {};
}

async function runMode(flow: RunnableFlow, { folder, file }: FlowPlace, one: PromptFlowCase): Promise<JsonObject> {
  if (one.mode === 'load') return { loaded: true };
  if (one.mode === 'node') return await runNode(flow, file, one);
  if (one.mode === 'batch') return await runBatch(flow, folder, one);
  if (one.mode !== 'test') return await runLine(flow, one);
  const bound = bindTestInputs(flow.plan, one.inputs ?? {});
  if (!bound.ok) return { error: { stage: 'run', ...caseError(bound.error) } };
  return await runLine(flow, { ...one, inputs: bound.inputs });
}

/** One line, then the aggregation nodes over it, as the original's test of a flow does. */
async function runLine(flow: RunnableFlow, one: PromptFlowCase): Promise<JsonObject> {
  const chunks = new Map<string, string[]>();
  const onEvent = (event: NodeEvent): void => {
    if (event.type !== 'text') return;
    const teller = event.output === undefined ? `node ${event.node}` : `output ${event.output}`;
    chunks.set(teller, [...(chunks.get(teller) ?? []), event.text]);
  };
  const streams = one.mode === 'stream';
  const streaming = { nodes: 'answers', tokens: false } as const;
  const ran = await flow.runRow(inputsOf(flow, one), { line: 0, ...(streams ? { streaming, onEvent } : {}) });
  const aggregated =
    ran.row.status === 'Completed' && testsAggregation(flow.plan) && !isCode(flow)
      ? await flow.runAggregation([ran])
      : { nodes: [], metrics: {} };
  const { error } = ran.row;
  if (isCode(flow) && isInputError(error)) return { error: { stage: 'run', ...caseError(error) } };
  const nodes = [...ran.nodes, ...aggregated.nodes]
    .filter(({ status }) => status !== 'NotRun')
    .map((node) => withPieces(node, chunks.get(`node ${node.node}`)));
  return {
    status: ran.row.status,
    outputs: ran.row.outputs,
    nodes: isCode(flow) ? {} : Object.fromEntries(nodes.map((node) => [node.node, nodeResult(node)])),
    metrics: aggregated.metrics,
    ...(ran.row.error === undefined ? {} : { error: caseError(ran.row.error) }),
    ...usage(nodes),
    ...(streams ? { stream_chunks: streamedOutputs(flow, chunks, ran.nodes, ran.row.outputs) } : {}),
  };
}

function withPieces(node: NodeRun, pieces: readonly string[] | undefined): NodeRun {
  return pieces === undefined || typeof node.output !== 'string' ? node : { ...node, pieces };
}

/** Code that is given nothing takes its sample. */
function inputsOf({ plan }: RunnableFlow, { inputs = {} }: PromptFlowCase): JsonObject {
  const isEmpty = plan.answersBy !== undefined && plan.readsImageTexts !== true && Object.keys(inputs).length === 0;
  return isEmpty && isMapping(plan.sample) ? plan.sample : inputs;
}

/** Code and prompties: the original has no nodes for them, and tests no aggregation. */
function isCode({ plan }: RunnableFlow): boolean {
  return plan.answersBy !== undefined;
}

/** The inputs of code are looked at before its line begins: what is wrong in them is raised. */
function isInputError(error: NodeError | undefined): error is NodeError {
  return error !== undefined && promptFlowCodes(error.code).includes('InvalidFlowRequest');
}

/** The pieces in which a model, or a generator of a tool, answered, by the outputs of the flow that are its answers. */
function streamedOutputs(
  { plan }: RunnableFlow,
  chunks: ReadonlyMap<string, readonly string[]>,
  runs: readonly NodeRun[],
  outputs: JsonObject,
): JsonObject {
  return Object.fromEntries(
    plan.outputs.flatMap(({ name, binding }): (readonly [string, JsonValue])[] => {
      if (binding.kind !== 'node-output') return [];
      const run = runs.find(({ node }) => node === binding.nodeName);
      const items = generated(run, binding.path, outputs[name]);
      const pieces = chunks.get(`output ${name}`) ?? [];
      const texts = chunks.get(`node ${binding.nodeName}`);
      if (items !== undefined) return [[name, items.slice(items.length - pieces.length)]];
      return texts === undefined ? [] : [[name, texts]];
    }),
  );
}

/** The record of a generator holds the items it gave, an output of the flow the text of those that were left for it. */
function generated(
  run: NodeRun | undefined,
  path: readonly (
    | { readonly kind: 'index'; readonly index: number }
    | { readonly kind: 'word' | 'key'; readonly name: string }
  )[],
  text: JsonValue | undefined,
): readonly JsonValue[] | undefined {
  let value = run?.output;
  for (const step of path) value = (value as JsonObject | undefined)?.[step.kind === 'index' ? step.index : step.name];
  return Array.isArray(value) && typeof text === 'string' ? value : undefined;
}

async function runNode(flow: RunnableFlow, file: string, one: PromptFlowCase): Promise<JsonObject> {
  const name = one.node ?? '';
  const node = flow.plan.nodes.find((candidate) => candidate.name === name);
  if (node === undefined) return { error: { stage: 'node', ...caseError(unknownNode(name, file)) } };
  const { inputs: flowInputs = {}, dependency_outputs: outputs = {} } = one;
  const bound = await bindNodeInputs(flow.plan, node, { flowInputs, outputs });
  if (!bound.ok) return { error: { stage: 'node', ...caseError(bound.error) } };
  const run = await flow.runNode(name, bound.inputs);
  // Inputs are read before a node that runs alone is begun.
  if (run.error?.code === 'LoadMultimediaDataError') return { error: { stage: 'node', ...caseError(run.error) } };
  return { ...nodeResult(run), nodes: { [name]: nodeResult(run) } };
}

function unknownNode(name: string, file: string): NodeError {
  const code = 'SingleNodeValidationError';
  const message = `Validation failed when attempting to execute the node. Node '${name}' is not found in flow '${file}'. Please change node name or correct the flow file.`;
  return { code, message, retryable: false };
}

function usage(nodes: readonly NodeRun[]): { readonly tokens?: JsonValue } {
  const used = nodes.flatMap((node) => node.usage ?? []);
  if (used.length === 0) return {};
  const sum = (key: 'promptTokens' | 'completionTokens' | 'totalTokens'): number =>
    used.reduce((total, one) => total + one[key], 0);
  return {
    tokens: {
      prompt_tokens: sum('promptTokens'),
      completion_tokens: sum('completionTokens'),
      total_tokens: sum('totalTokens'),
    },
  };
}

function ancestorsOf({ plan }: RunnableFlow): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const node of plan.nodes) {
    const names = node.dependencies.flatMap((id) => plan.nodes[id]?.name ?? []);
    found.set(node.name, new Set(names.flatMap((name) => [name, ...(found.get(name) ?? [])])));
  }
  return found;
}
