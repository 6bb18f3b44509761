import { enableCompileCache, flushCompileCache } from 'node:module';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { duringCallOf } from '../observe/callers.ts';
import { observeThread } from '../observe/observe-thread.ts';
import { observeFlowVariables } from '../observe/observe-variables.ts';
import { captureOutput, installCapture } from './capture-output.ts';
import type { CodeFunction } from './code-function.ts';
import type { CodePlace } from './code-place.ts';
import { describeThrown } from './describe-thrown.ts';
import { registerFlowModuleHooks } from './flow-module-hooks.ts';
import { loadFailure, loadModule } from './load-module.ts';
import { runFunction } from './run-function.ts';
import { type FromThread, places, type ThreadCall, type ThreadSettings, type ToThread } from './thread-messages.ts';

// With its types stripped once, a file needs no compiler of TypeScript at the next start: 15 MB and 40 ms less.
enableCompileCache();

/** Where code nodes run that must hold nobody up: a thread with nothing of the engine in it. */
const { folder, environment: written, shared } = workerData as ThreadSettings;
const port = parentPort as MessagePort;
const integers = new Int32Array(shared);
// What is registered last sees first what is asked for.
registerFlowModuleHooks();
const sightings = observeThread(folder);
const environment = observeFlowVariables(written, sightings);
interface Loaded {
  readonly run: CodeFunction;
  readonly path: string;
}
const functions = new Map<string, Loaded>();
const underWay = new Map<number, AbortController>();

function tell(message: FromThread): void {
  const seen = sightings.take();
  if (seen.length > 0) port.postMessage({ kind: 'seen', sightings: seen } satisfies FromThread);
  port.postMessage(message);
}

async function load(number: number, place: CodePlace): Promise<void> {
  const loaded = await duringCallOf(place.path, () => loadModule(place));
  if (loaded.ok) {
    functions.set(place.key, { run: loaded.run, path: place.path });
    tell({ kind: 'loaded', number, loaded: { ok: true, text: String(loaded.run), length: loaded.run.length } });
    // A thread that is ended keeps nothing by itself.
    setImmediate(flushCompileCache);
    return;
  }
  tell({ kind: 'loaded', number, loaded: loadFailure(loaded, folder) });
}

/** The order of the first two steps is what lets the other side take calls back at any time. */
function begin(call: ThreadCall): void {
  const { number } = call;
  Atomics.store(integers, places.begun, number);
  if (number <= Atomics.load(integers, places.takenBack)) {
    tell({ kind: 'left', number });
    return;
  }
  const controller = new AbortController();
  Atomics.store(integers, places.computing, number);
  const loaded = functions.get(call.key);
  if (loaded === undefined) throw new Error(`bug: ${call.key} was not loaded`);
  const node = { run: loaded.run, isAggregation: call.isAggregation, environment, folder };
  const outcome = duringCallOf(loaded.path, () =>
    runFunction(node, call.inputs, { node: call.node, line: call.line, signal: controller.signal }),
  );
  Atomics.store(integers, places.computing, 0);
  if (!(outcome instanceof Promise)) {
    tell({ kind: 'ended', number, outcome });
    return;
  }
  underWay.set(number, controller);
  void outcome.then((ended) => {
    underWay.delete(number);
    tell({ kind: 'ended', number, outcome: ended });
  });
}

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'load':
      void load(message.number, message.place);
      return;
    case 'calls':
      for (const call of message.calls) begin(call);
      return;
    case 'abort':
      underWay.get(message.number)?.abort();
      return;
    default:
      tell({ kind: 'pong' });
  }
});

installCapture();
/** What code leaves behind without awaiting it ends no run. */
function tellStray(thrown: unknown): void {
  const { code, message } = describeThrown(thrown);
  const text = `code of the flow failed where nobody awaited it: (${code}) ${message}\n`;
  captureOutput(undefined, () => process.stderr.write(text));
}
process.on('unhandledRejection', tellStray);
process.on('uncaughtException', tellStray);
