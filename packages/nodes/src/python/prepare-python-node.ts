import {
  type Connection,
  connectionIdentity,
  type FingerprintInputs,
  type ImportedModule,
  imagesIn,
  type JsonObject,
  type JsonValue,
  type NodeCall,
  type NodeDefinition,
  type NodeOutcome,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  partOf,
  RemoteValue,
  ScopeSlot,
  stringifyJson,
  textHash,
  traceHeaders,
} from '@unroll/engine';
import { partsOnce } from '../code/parts-once.ts';
import { modelStream } from '../llm/model-streams.ts';
import { ObservedReads } from '../observe/observed-reads.ts';
import { partsNow, readPart } from '../observe/parts-now.ts';
import { promptResult } from '../prompt/prompt-results.ts';
import { requireTemplate } from '../prompt/prompt-template.ts';
import {
  type HandleOwner,
  originalsRemembered,
  PromptText,
  TextPieces,
  withHandleMarks,
} from '../python-objects/python-handle.ts';
import { findPython } from './find-python.ts';
import { loadRequest } from './load-request.ts';
import { loadError, lostObjects, noPython, startError } from './python-error.ts';
import { type LoadablePythonNode, outcomeOf } from './python-outcome.ts';
import { pythonParts } from './python-parts.ts';
import { pythonStandInsOf } from './python-stand-ins.ts';
import { type LoadRequest, WorkerPool } from './worker-pool.ts';
import { WorkerProcess } from './worker-process.ts';
import { workersWanted } from './workers-wanted.ts';

export interface PythonOptions {
  /** Most worker processes a flow; 4, or the number of processors when that is less. */
  readonly workers?: number;
}

interface FlowWorkers {
  readonly pool: WorkerPool;
  /** What the code of all workers read. */
  readonly reads: ObservedReads;
  readonly readsNow: ReturnType<typeof partsNow>;
}

const workersOfFlow = new ScopeSlot<FlowWorkers>('Python workers');

/**
 * Loads a node's Python file in a worker, where its literals become values of its parameters' types.
 *
 * @param path absolute
 * @throws PrepareError when there is no Python or the file holds no single tool
 */
export async function preparePythonNode(
  definition: NodeDefinition,
  path: string,
  context: PrepareContext,
  options: PythonOptions,
): Promise<PreparedNode> {
  return prepareLoaded(definition, loadRequest(definition, { path }, context), context, options);
}

/**
 * Loads one function of a Python file that may hold several.
 *
 * @param path absolute
 * @throws PrepareError when there is no Python, or no such function in the file
 */
export async function preparePythonFunction(
  definition: NodeDefinition,
  { path, functionName }: { readonly path: string; readonly functionName: string },
  context: PrepareContext,
): Promise<PreparedNode> {
  return prepareLoaded(definition, loadRequest(definition, { path, function: functionName }, context), context, {});
}

/** What Python files of the flow, and all that they import, have read so far. */
export function pythonReads(context: PrepareContext, paths: readonly string[]): FingerprintInputs {
  return workersOf(context, {}).reads.readsOf(paths);
}

/** What parts that Python code read in an earlier run are now. */
export function pythonReadsNow(context: PrepareContext): FlowWorkers['readsNow'] {
  return workersOf(context, {}).readsNow;
}

/** What a Python file is made of, told by a worker of the flow. */
export function pythonFileParts(path: string, context: PrepareContext): Promise<FingerprintInputs> {
  return pythonParts(poolOf(context, {}), path, context);
}

/**
 * Loads a tool of an installed Python package, with the text of its prompt where the node has one.
 *
 * @throws PrepareError when there is no Python, no such tool, or the node cannot be run with it
 */
export async function preparePythonPackage(
  definition: NodeDefinition,
  context: PrepareContext,
  options: PythonOptions,
): Promise<PreparedNode> {
  const prompt = definition.type === 'custom_llm' ? requireTemplate(definition, context.files) : undefined;
  const bound = Object.entries(definition.inputs).filter(([, { kind }]) => kind === 'flow-input');
  const source = {
    package: definition.source?.tool ?? '',
    ...(prompt === undefined
      ? {}
      : {
          prompt: prompt.file.text,
          variables: prompt.template.variables.map(({ name }) => name),
          inputsToEscape: bound.map(([name]) => name),
        }),
  };
  return prepareLoaded(definition, { ...loadRequest(definition, {}, context), ...source }, context, options);
}

/**
 * Imports modules in a worker, as workers that start later do before they load a node.
 *
 * @throws PrepareError when there is no Python, or a module cannot be imported
 */
export async function importPythonModules(
  modules: readonly ImportedModule[],
  context: PrepareContext,
  options: PythonOptions,
): Promise<void> {
  const reply = await poolOf(context, options).import(modules.map((module) => ({ ...module })));
  if (reply.ok) return;
  const redact = redactionOf(context);
  throw new PrepareError('crashed' in reply ? startError(reply, redact) : loadError(reply.failure, redact));
}

async function prepareLoaded(
  definition: NodeDefinition,
  load: LoadRequest,
  context: PrepareContext,
  options: PythonOptions,
): Promise<PreparedNode> {
  const { pool, reads, readsNow } = workersOf(context, options);
  const redact = redactionOf(context);
  const reply = await pool.load(load);
  if (!reply.ok) {
    throw new PrepareError('crashed' in reply ? startError(reply, redact) : loadError(reply.failure, redact));
  }
  const loaded = reply.value as unknown as LoadedNode;
  const path = typeof load['path'] === 'string' ? load['path'] : undefined;
  return {
    parametersWithDefault: new Set(loaded.parameters.filter(({ required }) => !required).map(({ name }) => name)),
    literals: loaded.literals,
    parts: async () => ({
      ...(path === undefined
        ? await packageParts(pool, definition, loaded, context)
        : await partsOnce(context.flow, path, () => pythonParts(pool, path, context))),
      ...givenConnections(load['connections']),
    }),
    run: (inputs, call) => runPythonNode({ pool, load, definition, redact }, inputs, call),
    reads: () => reads.readsOf(path === undefined ? (loaded.beginsIn ?? []) : [path]),
    readsNow,
  };
}

/** An installed tool: what its package is, and the template it is given. */
async function packageParts(
  pool: WorkerPool,
  { source }: NodeDefinition,
  { beginsIn = [] }: LoadedNode,
  { files }: PrepareContext,
): Promise<FingerprintInputs> {
  const { path } = source ?? {};
  const packages: Record<string, string> = {};
  for (const module of beginsIn.filter((one) => one.startsWith(packageMark))) {
    const reply = await pool.packageOf(module.slice(packageMark.length));
    const [name, identity] = reply.ok ? (reply.value as readonly string[]) : [];
    if (name !== undefined && identity !== undefined) packages[`package ${name}`] = identity;
  }
  return {
    ...packages,
    ...(path === undefined ? {} : { [`file ${path}`]: textHash(files.read(path)?.text ?? '') }),
  };
}

/** Where the connections lead that the code is given, whether it is named by an input or by a prompty it calls. */
function givenConnections(connections: JsonValue | undefined): FingerprintInputs {
  return Object.fromEntries(
    Object.entries((connections ?? {}) as unknown as Readonly<Record<string, Connection>>).map(([name, given]) => [
      `connection ${name}`,
      partOf(connectionIdentity({ ...given, name })),
    ]),
  );
}

/** Before the name of a module of an installed package, as the worker calls it. */
const packageMark = 'package:';

interface LoadedNode {
  /** Of a tool of a package: the modules with which its code begins, files or `package:NAME`. */
  readonly beginsIn?: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly type: string }[];
  readonly takesAnyInput: boolean;
  readonly literals: JsonObject;
}

function poolOf(context: PrepareContext, options: PythonOptions): WorkerPool {
  return workersOf(context, options).pool;
}

function workersOf(context: PrepareContext, options: PythonOptions): FlowWorkers {
  return context.flow.kept(workersOfFlow, () => openWorkers(context, options));
}

function openWorkers(context: PrepareContext, options: PythonOptions): FlowWorkers {
  const { files, environment } = context;
  const variables = { ...process.env, ...environment };
  const python = findPython(files.folder, variables);
  if (!python.ok) throw new PrepareError(noPython(python.tried));
  const reads = new ObservedReads(readPart(context, variables));
  const settings = {
    command: python.command,
    folder: files.folder,
    environment,
    standIns: pythonStandInsOf(context),
    onSeen: (sightings: Parameters<ObservedReads['add']>[0]) => reads.add(sightings),
  };
  const pool = new WorkerPool(settings, options.workers ?? workersWanted(process.env));
  const readsNow = partsNow(context, variables, async (name) => {
    const reply = await pool.packageOf(name);
    return reply.ok ? (reply.value as readonly string[])[1] : undefined;
  });
  context.onClose(() => pool.close());
  return { pool, reads, readsNow };
}

function redactionOf({ redactor }: PrepareContext): (text: string) => string {
  return (text) => redactor.message(text);
}

function runPythonNode(
  loadable: LoadablePythonNode,
  inputs: JsonObject,
  call: NodeCall,
): Promise<NodeOutcome> | NodeOutcome {
  const { pool, load, definition } = loadable;
  const owners = new Set<HandleOwner>();
  const given = withWhatNodesGave(inputs, definition, call);
  const live = RemoteValue.anyMade || given !== inputs;
  if (live) withHandleMarks(inputs, '', owners);
  const [holder] = owners;
  if (owners.size > 1 || (holder instanceof WorkerProcess && holder.hasExited)) {
    return { ok: false, error: lostObjects(call.node) };
  }
  const needsMarks = live || originalsRemembered() || imagesIn(inputs).length > 0;
  const text = (worker: WorkerProcess): string =>
    stringifyJson(needsMarks ? withHandleMarks(given, worker.mark, owners, worker) : given);
  const held = holder instanceof WorkerProcess ? holder : undefined;
  return pool
    .call(
      {
        row: call.row,
        node: definition.name,
        load,
        inputs: text,
        signal: call.signal,
        isShared: call.isShared === true,
        trace: traceHeaders(),
      },
      held,
    )
    .then((result) => outcomeOf(result, call.node, loadable));
}

/** Inputs with pieces in the place of texts that are the whole answer of a model in a stream, and with texts of prompts as such. */
function withWhatNodesGave(inputs: JsonObject, definition: NodeDefinition, { row }: NodeCall): JsonObject {
  const streams = Object.entries(definition.inputs).flatMap(([name, input]) => {
    if (input.kind !== 'node-output' || input.path !== '') return [];
    const pieces = modelStream(row, input.node, inputs[name]);
    if (pieces !== undefined) return [[name, new TextPieces(pieces) as unknown as JsonValue] as const];
    const prompt = promptResult(row, input.node, inputs[name], () => '');
    return prompt === undefined ? [] : [[name, new PromptText(prompt.text) as unknown as JsonValue] as const];
  });
  return streams.length === 0 ? inputs : { ...inputs, ...Object.fromEntries(streams) };
}
