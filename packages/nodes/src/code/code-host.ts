import {
  type FingerprintInputs,
  type JsonObject,
  type NodeCall,
  type NodeOutcome,
  type PrepareContext,
  ScopeSlot,
  timedOut,
  unseenPart,
  within,
} from '@unroll/engine';
import { packageLookupOf } from '../identity/package-imports.ts';
import { partsNow, scriptPackageNow } from '../observe/parts-now.ts';
import { breakable } from './breakable.ts';
import { installCapture } from './capture-output.ts';
import type { CodeFunction } from './code-function.ts';
import type { CodePlace } from './code-place.ts';
import { codeThreadsOf } from './code-threads.ts';
import { copyInputs, holdsObjects, isOwnValue } from './copy-value.ts';
import { listenToModelCalls } from './hear-model-calls.ts';
import { loadFailure, loadModule } from './load-module.ts';
import { canceled, runFunction } from './run-function.ts';
import type { FunctionShape, LoadFailure } from './thread-messages.ts';

/** Where a function of the flow's code runs. It keeps the time of its calls itself. */
export interface CodeHost {
  load(): Promise<FunctionShape | LoadFailure>;
  run(inputs: JsonObject, call: NodeCall): NodeOutcome | Promise<NodeOutcome>;
  /** What its module, and all that this imports, has read so far. */
  reads(): FingerprintInputs;
}

/** In a thread of its own where the flow wants that, else in this one. */
export function openCodeHost(
  place: CodePlace,
  context: PrepareContext,
  options: { readonly isAggregation: boolean },
): CodeHost {
  const here = inThisThread(place, context, options);
  if (context.inThreads !== true) return here;
  const threads = codeThreadsOf(context);
  let hasRunHere = false;
  return {
    reads: () => {
      const seen = scriptReads(context, [place.path]);
      return hasRunHere ? { ...seen, ...notSeen } : seen;
    },
    load: () => threads.load(place),
    run: (inputs, call) => {
      // Pictures and objects of Python's are none that go from thread to thread.
      if (holdsObjects(inputs)) {
        hasRunHere = true;
        return here.load().then(() => here.run(inputs, call));
      }
      const { node, line, signal, timeLimitMs } = call;
      const given = { key: place.key, node, line, ...options, inputs: copyInputs(inputs) };
      return threads.run(given, { signal, timeLimitMs });
    },
  };
}

/** Where code runs beside our own, nobody can tell what it reads. */
const notSeen: FingerprintInputs = { [`${unseenPart}in the engine's own thread`]: 'used' };

/** What scripts of the flow, and all that they import, have read so far. */
export function scriptReads(context: PrepareContext, paths: readonly string[]): FingerprintInputs {
  return context.inThreads === true ? codeThreadsOf(context).reads.readsOf(paths) : notSeen;
}

const scriptPartsNow = new ScopeSlot<ReturnType<typeof partsNow>>('parts of scripts');

/** What parts that code read in an earlier run are now; looked at once for all nodes of a flow. */
export function scriptReadsNow(context: PrepareContext): ReturnType<typeof partsNow> {
  return context.flow.kept(scriptPartsNow, () =>
    partsNow(context, process.env, scriptPackageNow(context.files.folder, packageLookupOf(context.flow))),
  );
}

function inThisThread(
  place: CodePlace,
  { files, environment }: PrepareContext,
  options: { readonly isAggregation: boolean },
): CodeHost {
  const { folder } = files;
  const shared = { ...options, environment, folder, isKept: isOwnValue };
  let run: CodeFunction | undefined;
  return {
    reads: () => notSeen,
    async load() {
      installCapture();
      listenToModelCalls();
      const loaded = await loadModule(place);
      if (!loaded.ok) return loadFailure(loaded, folder);
      run = loaded.run;
      return { ok: true, text: String(run), length: run.length };
    },
    run: (inputs, call) => {
      if (run === undefined) throw new Error(`bug: ${place.path} was not loaded`);
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
