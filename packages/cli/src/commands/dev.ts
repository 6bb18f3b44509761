import { resolve } from 'node:path';
import { countDiagnostics, formatDiagnostics, shownPath } from '@unroll/engine';
import { ProjectFailure, type ProjectHost, refuseUnknownRedacted } from '@unroll/project';
import { type FlowServer, startServer } from '@unroll/server';
import { Changes, changedNames } from '../dev/changes.ts';
import { EditedFlow, type LoadedFlow } from '../dev/edited-flow.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ServeSettings } from '../options/serve-options.ts';
import { hostOf } from '../project-host.ts';
import { namesOfServed, openServedFlow } from '../serving/open-served-flow.ts';
import { readServerSettings } from '../serving/read-server-settings.ts';
import { diagnosticsText } from '../text/diagnostics-text.ts';
import { type Style, styleOf } from '../text/style.ts';

/** `flow dev`: serves flows while they are edited; each change is checked and, without mistakes, served from then on. */
export async function dev(settings: ServeSettings, io: Io): Promise<number> {
  const host = hostOf(settings, io);
  const serverSettings = readServerSettings(settings, io);
  const stop = io.interruption();
  const changes = new Changes<EditedFlow>();
  const flows = openEdited(settings, changes, host, io);
  const teller = new Reporter(settings, io);
  for (const flow of flows) {
    const loaded = await flow.load(stop);
    if (stop.aborted) return await end(flows);
    teller.tell(flow, take(flow, loaded));
  }
  if (flows.every(({ mistakes }) => mistakes === undefined)) refuseUnknownRedacted(settings.redact, servedOf(flows));
  const server = await startServer(servedOf(flows), serverSettings, host, { mistakes: mistakesOf(flows) });
  io.stdout.write(`${flows.map(({ name }) => name).join(', ')}: ${server.url}\n`);
  io.stdout.write('watching for changes; Ctrl-C ends it\n');
  while (!stop.aborted) {
    for (const [flow, told] of await changes.next(stop)) {
      const paths = flow.changedOf(told).map((path) => shownPath(path, io.folder));
      if (paths.length > 0) await takeUp(flow, paths, { flows, server, teller, stop }, io);
    }
  }
  await server.close();
  return await end(flows);
}

interface Edited {
  readonly flows: readonly EditedFlow[];
  readonly server: FlowServer;
  readonly teller: Reporter;
  readonly stop: AbortSignal;
}

async function takeUp(
  flow: EditedFlow,
  paths: readonly string[],
  { flows, server, teller, stop }: Edited,
  { stdout }: Io,
): Promise<void> {
  stdout.write(`changed ${changedNames(paths)}\n`);
  const loaded = await reload(flow, flows, server, stop);
  if (!stop.aborted) teller.tell(flow, loaded);
}

async function end(flows: readonly EditedFlow[]): Promise<number> {
  for (const flow of flows) await flow[Symbol.asyncDispose]();
  return exitCode.done;
}

function openEdited(
  settings: ServeSettings,
  changes: Changes<EditedFlow>,
  host: ProjectHost,
  io: Io,
): readonly EditedFlow[] {
  const { variant, connectionsFile } = settings;
  const watched = [connectionsFile ?? [], 'connections.yaml'].flat().map((path) => resolve(io.folder, path));
  const onChange = (flow: EditedFlow, path: string): void => changes.add(flow, path);
  return namesOfServed('dev', settings).map((name) => {
    const open = (signal: AbortSignal) => openServedFlow(name, settings, host, io, signal);
    return new EditedFlow({ name, variant, connectionsFile, open, watched, onChange, host });
  });
}

/** Takes up the text that the flow has now; where the server cannot serve it, what was served is served on. */
async function reload(
  flow: EditedFlow,
  flows: readonly EditedFlow[],
  server: FlowServer,
  stop: AbortSignal,
): Promise<LoadedFlow> {
  const before = flow.served;
  const loaded = take(flow, await flow.load(stop));
  try {
    server.replace(servedOf(flows), mistakesOf(flows));
    return loaded;
  } catch (error) {
    if (!(error instanceof ProjectFailure) || !loaded.isRight) throw error;
    await loaded.served[Symbol.asyncDispose]();
    flow.served = before;
    const refusal = take(flow, { isRight: false, diagnostics: [], message: error.message });
    server.replace(servedOf(flows), mistakesOf(flows));
    return refusal;
  }
}

function take(flow: EditedFlow, loaded: LoadedFlow): LoadedFlow {
  if (loaded.isRight) flow.served = loaded.served;
  flow.mistakes = loaded.isRight ? undefined : (loaded.message ?? formatDiagnostics(loaded.diagnostics));
  return loaded;
}

function servedOf(flows: readonly EditedFlow[]) {
  return flows.flatMap(({ served }) => served ?? []);
}

function mistakesOf(flows: readonly EditedFlow[]) {
  return flows.flatMap(({ told }) => told);
}

/** Says in the terminal what is served, and why a text is not. */
class Reporter {
  readonly #io: Io;
  readonly #style: Style;
  readonly #ofMistakes: Style;

  constructor({ color }: ServeSettings, io: Io) {
    this.#io = io;
    this.#style = styleOf(io.stdout, io, color);
    this.#ofMistakes = styleOf(io.stderr, io, color);
  }

  tell({ name, served }: EditedFlow, loaded: LoadedFlow): void {
    const { stdout, stderr } = this.#io;
    if (loaded.isRight) {
      const count = loaded.served.plan.nodes.length;
      stdout.write(`${this.#style.good('✓')} ${name}: ${count === 1 ? '1 node' : `${count} nodes`}, served\n`);
      return;
    }
    const { diagnostics, message } = loaded;
    stderr.write(`${message ?? diagnosticsText(diagnostics, this.#ofMistakes)}\n`);
    const what = message === undefined ? countDiagnostics(diagnostics) : 'cannot be served';
    const meanwhile = served === undefined ? 'nothing is served yet' : 'the version before is served on';
    stdout.write(`${this.#style.bad('✗')} ${name}: ${what}; ${meanwhile}\n`);
  }
}
