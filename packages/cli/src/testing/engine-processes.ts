import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allOf, openSqliteRunReader } from '@unroll/engine';
import {
  type FreshEngine,
  freshEngine,
  type Gate,
  gatedFlow,
  numbers,
  type PostgresServer,
  startGate,
  twiceFlow,
} from '@unroll/queue/testing';
import { type FlowProcess, startFlow } from './flow-process.ts';
import { createTestWorld, type Said } from './test-io.ts';
import { writeFiles } from './write-files.ts';

/** An engine, a project with the flow `gated`, its gate, and workers as processes of their own. All of them end with it. */
export interface EngineProcesses extends AsyncDisposable {
  readonly folder: string;
  readonly engine: FreshEngine;
  readonly gate: Gate;
  /** A command line to its end, in this process, which costs a tenth of one of its own; it finds the engine in FLOW_ENGINE. Code of flows that it runs itself sees the variables of this process alone. */
  run(...argv: readonly string[]): Promise<Said>;
  /** The same with variables of its own. */
  runWith(environment: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Said>;
  /** A command line in a process, to be killed or listened to. */
  flow(...argv: readonly string[]): FlowProcess;
  /** The same with variables of its own. */
  flowWith(environment: Readonly<Record<string, string>>, ...argv: readonly string[]): FlowProcess;
  /** One that waits for work. */
  worker(name: string, ...argv: readonly string[]): Promise<FlowProcess>;
  /** The rows of a record here, as texts. */
  rowsOf(run: string): Promise<readonly string[]>;
}

/** What stands in the way of processes to an engine. */
export interface EnginePlace {
  /** That of this process where absent. */
  readonly server?: PostgresServer;
  /** The address that they are given, made of the engine's own. */
  readonly through?: (url: string) => Promise<string>;
}

export async function engineProcesses(rows: number, { server, through }: EnginePlace = {}): Promise<EngineProcesses> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-engine-')));
  writeFiles(folder, { ...gatedFlow, ...twiceFlow, 'n.jsonl': numbers(rows) });
  const [engine, gate] = await Promise.all([freshEngine(server), startGate()]);
  const address = (await through?.(engine.url)) ?? engine.url;
  const started: FlowProcess[] = [];
  const named = { GATE: gate.url, FLOW_ENGINE: address };
  const flowWith = (environment: Readonly<Record<string, string>>, ...argv: readonly string[]): FlowProcess => {
    const one = startFlow(argv, { folder, environment: { ...named, ...environment } });
    started.push(one);
    return one;
  };
  const flow = (...argv: readonly string[]): FlowProcess => flowWith({}, ...argv);
  const over = new AbortController();
  const runWith = (environment: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Said> => {
    const own = { PATH: process.env['PATH'] ?? '', HOME: folder, ...named, ...environment };
    return createTestWorld({ folder, environment: own, now: Date.now, signal: over.signal }).flow(...argv);
  };
  return {
    folder,
    engine,
    gate,
    run: (...argv) => runWith({}, ...argv),
    runWith,
    flow,
    flowWith,
    async worker(name, ...argv) {
      const one = flow('worker', '--name', name, ...argv);
      await one.said('waits for work');
      return one;
    },
    async rowsOf(run) {
      await using store = openSqliteRunReader(join(folder, '.flow/runs', `${run}.run`));
      const all = await allOf(store.rows());
      return all.map(({ line, status, outputs }) => `${line} ${status} ${JSON.stringify(outputs)}`);
    },
    async [Symbol.asyncDispose]() {
      over.abort();
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      await gate[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the rows of the flow `gated` give, undisturbed. */
export function gatedRows(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `${n} Completed {"o":${2 * n + 1}}`);
}
