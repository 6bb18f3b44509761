import { flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';
import { duringCallOf } from '../observe/callers.ts';
import { observeThread } from '../observe/observe-thread.ts';
import { observeFlowVariables } from '../observe/observe-variables.ts';
import { captureOutput, installCapture } from './capture-output.ts';
import type { CodeFunction } from './code-function.ts';
import type { CodePlace } from './code-place.ts';
import { describeThrown } from './describe-thrown.ts';
import { registerFlowModuleHooks } from './flow-module-hooks.ts';
import { listenToModelCalls } from './hear-model-calls.ts';
import { loadFailure, loadModule } from './load-module.ts';
import { runFunction } from './run-function.ts';
import type { FromThread, ThreadCall, ThreadData, ToThread } from './thread-messages.ts';

/** Where code nodes run that must hold nobody up: a thread with nothing of the engine in it. */
const { folder, environment: written, port } = workerData as ThreadData;
delete workerData.port;
// What is registered last sees first what is asked for.
registerFlowModuleHooks();
const sightings = observeThread(folder);
const environment = observeFlowVariables(written, sightings);
interface Loaded {
  readonly run: CodeFunction;
  readonly path: string;
}
const functions = new Map<string, Loaded>();
/** Node's own, whatever code puts in its place. */
const leave = process.exit.bind(process);
let underWay = new AbortController();

function post(message: FromThread): void {
  const seen = sightings.take();
  if (seen.length > 0) port.postMessage({ kind: 'seen', sightings: seen } satisfies FromThread);
  port.postMessage(message);
}

async function load(number: number, place: CodePlace): Promise<void> {
  const loaded = await duringCallOf(place.path, () => loadModule(place));
  if (loaded.ok) {
    functions.set(place.key, { run: loaded.run, path: place.path });
    post({ kind: 'loaded', number, loaded: { ok: true, text: String(loaded.run), length: loaded.run.length } });
    // A thread that is ended keeps nothing by itself.
    setImmediate(flushCompileCache);
    return;
  }
  post({ kind: 'loaded', number, loaded: loadFailure(loaded, folder) });
}

async function run(call: ThreadCall): Promise<void> {
  const loaded = functions.get(call.key);
  if (loaded === undefined) throw new Error(`bug: ${call.key} was not loaded`);
  underWay = new AbortController();
  const { signal } = underWay;
  const node = { run: loaded.run, isAggregation: call.isAggregation, environment, folder };
  const outcome = await duringCallOf(loaded.path, () =>
    runFunction(node, call.inputs, { node: call.node, line: call.line, signal }),
  );
  post({ kind: 'ended', outcome });
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'load') void load(message.number, message.place);
  else if (message.kind === 'call') void run(message.call);
  else if (message.kind === 'abort') underWay.abort();
  else leave(0);
});

installCapture();
listenToModelCalls();
/** What code leaves behind without awaiting it ends no run. */
function reportStray(thrown: unknown): void {
  const { code, message } = describeThrown(thrown);
  const text = `code of the flow failed where nobody awaited it: (${code}) ${message}\n`;
  captureOutput(undefined, () => process.stderr.write(text));
}
process.on('unhandledRejection', reportStray);
process.on('uncaughtException', reportStray);
