import {
  type Connection,
  connectionIdentity,
  type FingerprintInputs,
  type ImportedModule,
  type JsonObject,
  type JsonValue,
  type NodeDefinition,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  partOf,
  textHash,
} from '@unroll/engine';
import { partsOnce } from '../code/parts-once.ts';
import { requireTemplate } from '../prompt/prompt-template.ts';
import { poolOf, workersOf } from './flow-workers.ts';
import { loadRequest } from './load-request.ts';
import { loadError, startError } from './python-error.ts';
import { pythonParts } from './python-parts.ts';
import { runPythonNode } from './run-python-node.ts';
import type { LoadRequest, WorkerPool } from './worker-pool.ts';

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
): Promise<PreparedNode> {
  return prepareLoaded(definition, loadRequest(definition, { path }, context), context);
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
  return prepareLoaded(definition, loadRequest(definition, { path, function: functionName }, context), context);
}

/**
 * Loads a tool of an installed Python package, with the text of its prompt where the node has one.
 *
 * @throws PrepareError when there is no Python, no such tool, or the node cannot be run with it
 */
export async function preparePythonPackage(definition: NodeDefinition, context: PrepareContext): Promise<PreparedNode> {
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
  return prepareLoaded(definition, { ...loadRequest(definition, {}, context), ...source }, context);
}

/**
 * Imports modules in a worker, as workers that start later do before they load a node.
 *
 * @throws PrepareError when there is no Python, or a module cannot be imported
 */
export async function importPythonModules(modules: readonly ImportedModule[], context: PrepareContext): Promise<void> {
  const reply = await poolOf(context).import(modules.map((module) => ({ ...module })));
  if (reply.ok) return;
  const redact = redactionOf(context);
  throw new PrepareError('crashed' in reply ? startError(reply, redact) : loadError(reply.failure, redact));
}

async function prepareLoaded(
  definition: NodeDefinition,
  load: LoadRequest,
  context: PrepareContext,
): Promise<PreparedNode> {
  const { pool, reads, readsNow } = workersOf(context);
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

function redactionOf({ redactor }: PrepareContext): (text: string) => string {
  return (text) => redactor.message(text);
}
