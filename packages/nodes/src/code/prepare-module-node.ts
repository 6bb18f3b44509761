import { readFileSync } from 'node:fs';
import {
  type NodeCall,
  type NodeDefinition,
  type NodeError,
  type NodeOutcome,
  type NodeParts,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  timedOut,
  type Values,
  within,
} from '@unroll/engine';
import { breakable } from './breakable.ts';
import { installCapture } from './capture-output.ts';
import { codeParts } from './code-parts.ts';
import { codeThreadsOf } from './code-threads.ts';
import { copyInputs, holdsObjects, isOwnValue } from './copy-value.ts';
import { parametersWithDefault } from './inspect-module.ts';
import { literalFileParts } from './literal-files.ts';
import { type CodeFunction, loadFailure, loadModule } from './load-module.ts';
import { packageLookupOf } from './package-imports.ts';
import { partsOnce } from './parts-once.ts';
import { canceled, runFunction } from './run-function.ts';
import { scriptFiles, scriptSources } from './script-sources.ts';
import type { FunctionShape, LoadFailure } from './thread-messages.ts';

/**
 * Loads a TypeScript or JavaScript node. Its function is called with its own copy of the inputs, so that nothing it
 * does to them shows in what was recorded.
 *
 * @param path absolute
 * @throws PrepareError when the file cannot be imported or no one function is the node
 */
export async function prepareModuleNode(
  definition: NodeDefinition,
  path: string,
  context: PrepareContext,
): Promise<PreparedNode> {
  const host =
    context.inThreads === true ? inThread(definition, path, context) : inThisThread(definition, path, context);
  const loaded = await host.load();
  if (!loaded.ok) throw new PrepareError(moduleError(loaded, path));
  return {
    parametersWithDefault: parametersWithDefault(loaded.text),
    literals: givenLiterals(definition),
    ...(readsLine(loaded, path, context.files.folder) ? { rendered: (inputs, { line }) => ({ line, inputs }) } : {}),
    parts: async () => ({
      ...(await partsOnce(context, path, () => moduleParts(path, context))),
      ...literalFileParts(definition, context.files.folder),
    }),
    keepsTime: true,
    run: host.run,
  };
}

/** Where a node's function is, and how it is called. */
interface CodeHost {
  load(): Promise<FunctionShape | LoadFailure>;
  readonly run: PreparedNode['run'];
}

function inThread(definition: NodeDefinition, path: string, context: PrepareContext): CodeHost {
  const threads = codeThreadsOf(context);
  const here = inThisThread(definition, path, context);
  const { name, aggregation: isAggregation } = definition;
  return {
    load: () => threads.load(path),
    run: (inputs, call) => {
      // Pictures and objects of Python's are none that go from thread to thread.
      if (holdsObjects(inputs)) return here.load().then(() => here.run(inputs, call));
      const { line, signal, timeLimitMs } = call;
      const given = { path, node: name, line, isAggregation, inputs: copyInputs(inputs) };
      return threads.run(given, { signal, timeLimitMs });
    },
  };
}

function inThisThread(definition: NodeDefinition, path: string, context: PrepareContext): CodeHost {
  const { folder } = context.files;
  const shared = {
    isAggregation: definition.aggregation,
    environment: context.environment,
    folder,
    isKept: isOwnValue,
  };
  let run: CodeFunction | undefined;
  return {
    async load() {
      installCapture();
      const loaded = await loadModule(path);
      if (!loaded.ok) return loadFailure(loaded, folder);
      run = loaded.run;
      return { ok: true, text: String(run), length: run.length };
    },
    run: (inputs, call) => {
      if (run === undefined) throw new Error(`bug: ${path} was not loaded`);
      const code = { ...shared, run };
      return limited(call, (timed) => unlessBroken(timed, () => runFunction(code, copyInputs(inputs), timed)));
    },
  };
}

function limited(
  call: NodeCall,
  run: (call: NodeCall) => NodeOutcome | Promise<NodeOutcome>,
): NodeOutcome | Promise<NodeOutcome> {
  return call.timeLimitMs === undefined ? run(call) : within(call.timeLimitMs, call, run);
}

/** A function that computes without giving way is ended by Ctrl-C and by its time limit. */
function unlessBroken(
  call: NodeCall,
  run: () => NodeOutcome | Promise<NodeOutcome>,
): NodeOutcome | Promise<NodeOutcome> {
  const ended = breakable(run, call.timeLimitMs);
  if ('value' in ended) return ended.value;
  return ended.broken === 'interrupted' ? canceled(call.node) : timedOut(call.node, call.timeLimitMs ?? 0);
}

function moduleParts(path: string, context: PrepareContext): NodeParts {
  const { folder } = context.files;
  return codeParts(scriptSources(path, folder, packageLookupOf(context)), folder, context.environment);
}

/** A function that looks at the number of its row, itself or in a file it imports, has it among what it is given. */
function readsLine({ text, length }: FunctionShape, path: string, folder: string): boolean {
  const takesMore = length > 1 || /\barguments\b|\.\.\.|,\s*\w+\s*=/.test(text);
  return takesMore && scriptFiles(path, folder).some((file) => namesLine.test(readFileSync(file, 'utf8')));
}

const namesLine = /\.line\b|\[["']line["']\]|[{,]\s*line\s*[,:=}]/;

/** null and "" are left out, so that the function's own default applies (Prompt flow, literal inputs). */
function givenLiterals(definition: NodeDefinition): Values {
  return Object.fromEntries(
    Object.entries(definition.inputs).flatMap(([name, input]) =>
      input.kind === 'literal' && input.value !== null && input.value !== '' ? [[name, input.value]] : [],
    ),
  );
}

function moduleError({ message: reason, cause, trace }: LoadFailure, path: string): NodeError {
  if (reason !== undefined) {
    return { code: 'NoToolDefined', message: reason, retryable: false, codes: moduleCodes('NoToolDefined') };
  }
  return {
    code: 'ModuleLoadError',
    message: `Failed to load module from file '${path}': (${cause.code}) ${cause.message}`,
    retryable: false,
    cause,
    trace,
    codes: moduleCodes('ModuleLoadError'),
  };
}

function moduleCodes(code: string): readonly string[] {
  return ['UserError', 'ToolValidationError', code];
}
