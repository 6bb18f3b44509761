import {
  type Diagnostic,
  type FlowFiles,
  type ImportedModule,
  type InspectedNode,
  type InstalledContext,
  type NodeDefinition,
  type NodeError,
  type NodeInspection,
  type NodeType,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
} from '@unroll/engine';
import { nodePlace } from '../code/code-place.ts';
import { inspectModule } from '../code/inspect-module.ts';
import { acceptedConnections } from '../connections/accepted-connections.ts';
import { missingSourceError } from '../errors/source-mistakes.ts';
import type { PackageTools } from '../node-type-extension.ts';
import { assistantInputs, checkAssistants } from './check-assistant.ts';
import { checkSource } from './check-source.ts';
import { inspectPython } from './inspect-python.ts';
import { unseenReads } from './unseen-reads.ts';

export interface CodeNodeOptions {
  /** Runs tools of packages; without it there are none. */
  readonly packageTools?: PackageTools;
}

/** The code node, `type: python`: its file is Python, TypeScript or JavaScript. */
export function pythonNodeType(options: CodeNodeOptions = {}): NodeType {
  return {
    name: 'python',
    version: 1,
    effects: 'may write',
    keys: [],
    inspect: (node, files) => inspectCodeNode(node, files, options),
    importModules: (modules, context) => importForeign(modules, context, options),
    begin: beginCodeNode,
    checkInstalled: (nodes, context) => checkCode(nodes, context, options),
    prepare: (node, context) => prepareCodeNode(node, context, options),
  };
}

const moduleEnding = /\.[cm]?[jt]s$/;

function inspectCodeNode(node: NodeDefinition, files: FlowFiles, { packageTools }: CodeNodeOptions): NodeInspection {
  const { source } = node;
  if (source?.type === 'package' && packageTools !== undefined) return packageTools.inspect(node, files);
  const mistakes = checkSource(node, files);
  const path = source?.path;
  if (mistakes.length > 0 || path === undefined) return { diagnostics: mistakes, takesAnyInput: true, files: [] };
  const file = files.read(path);
  if (file === undefined) return { diagnostics: [], takesAnyInput: true, files: [path] };
  const seen = moduleEnding.test(path) ? inspectModule(file) : path.endsWith('.py') ? inspectPython(file) : undefined;
  const isReported = node.settings['cache'] === undefined;
  const parameters = path.endsWith('.py') ? (seen?.parameters ?? []) : [];
  const accepted = path.endsWith('.py') ? { acceptedConnections: acceptedConnections(parameters) } : {};
  const assistants = checkAssistants(node, assistantInputs(parameters), files);
  return {
    takesAnyInput: true,
    ...seen,
    ...accepted,
    diagnostics: [...(isReported ? unseenReads(path, files) : []), ...assistants.diagnostics],
    files: [path],
    loadedFiles: assistants.functions,
  };
}

async function checkCode(
  nodes: readonly InspectedNode[],
  context: InstalledContext,
  options: CodeNodeOptions,
): Promise<readonly Diagnostic[]> {
  const [{ checkPython }, { checkCalledPrompties }, { checkModules }] = await Promise.all([
    import('./check-python.ts'),
    import('./check-called-prompties.ts'),
    import('../code/check-modules.ts'),
  ]);
  const modules = foreignModules(context.modules ?? [], options);
  const ofPython = await checkPython(nodes, { ...context, modules });
  return [...ofPython, ...checkCalledPrompties(nodes, context), ...checkModules(nodes, context.files)];
}

async function importForeign(
  modules: readonly ImportedModule[],
  context: PrepareContext,
  options: CodeNodeOptions,
): Promise<void> {
  const foreign = foreignModules(modules, options);
  if (foreign.length === 0) return;
  const { importPythonModules } = await import('./prepare-python-node.ts');
  await importPythonModules(foreign, context);
}

/** None where a part of ours stands in for each of them. */
function foreignModules(modules: readonly ImportedModule[], { packageTools }: CodeNodeOptions) {
  return modules.every(({ module }) => packageTools?.standsInFor(module) === true) ? [] : modules;
}

/** A thread takes as long to start as a model's client library takes to load. */
async function beginCodeNode({ source }: NodeDefinition, context: PrepareContext): Promise<void> {
  const { type, path = '' } = source ?? {};
  if (context.inThreads !== true || type !== 'code' || !moduleEnding.test(path)) return;
  const file = context.files.resolve(path);
  if (file === undefined || context.files.read(path) === undefined) return;
  const { codeThreadsOf } = await import('../code/code-threads.ts');
  void codeThreadsOf(context).load(nodePlace(file));
}

/** What runs code is loaded when a flow is made ready, so that checking one starts fast. */
async function prepareCodeNode(
  node: NodeDefinition,
  context: PrepareContext,
  options: CodeNodeOptions,
): Promise<PreparedNode> {
  const { source } = node;
  if (source === undefined) throw new PrepareError(missingSourceError(node.name));
  if (source.type === 'package' && options.packageTools !== undefined)
    return options.packageTools.prepare(node, context);
  if (source.type !== 'code') throw new PrepareError(unsupportedSource(source.type));
  if (source.path === undefined) {
    const message = `Load tool failed for node '${node.name}'. The source path is 'None'.`;
    throw new PrepareError(invalidSource(message));
  }
  const { path } = source;
  const file = path === '' ? undefined : context.files.resolve(path);
  if (file === undefined || context.files.read(path) === undefined) {
    const message = `Load tool failed for node '${node.name}'. Tool file '${path}' can not be found.`;
    throw new PrepareError(invalidSource(message));
  }
  if (moduleEnding.test(path)) {
    const { prepareModuleNode } = await import('../code/prepare-module-node.ts');
    return prepareModuleNode(node, file, context);
  }
  if (path.endsWith('.py')) {
    const { preparePythonNode } = await import('./prepare-python-node.ts');
    return preparePythonNode(node, file, context);
  }
  throw new PrepareError(
    invalidSource(`Node '${node.name}': '${path}' is no code file; it must end in .py, .ts, .mts, .js or .mjs`),
  );
}

function invalidSource(message: string): NodeError {
  return { code: 'InvalidSource', message, retryable: false };
}

function unsupportedSource(type: string): NodeError {
  const message = `Tool source type ${type} for python tool is not supported yet.`;
  return { code: 'NotImplementedError', message, retryable: false };
}
