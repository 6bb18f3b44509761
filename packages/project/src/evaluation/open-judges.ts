import { resolve } from 'node:path';
import type { JsonObject, RowResult, RunnableFlow, RunReader } from '@unroll/engine';
import { eachOf, shownPath } from '@unroll/engine';
import type { ChosenJudge, EvalSpec, Judge, Judged, JudgeService } from '@unroll/evals';
import { type FoundFlow, findFlow } from '../flows/find-flow.ts';
import type { CassetteSettings } from '../flows/flow-settings.ts';
import { openForRun } from '../flows/open-for-run.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost, withNotices } from '../host/project-host.ts';
import { isUnreadable, lookAtRecordFile } from '../records/open-record.ts';
import { digestNow, type RecordedRun, recordRun } from '../records/record-run.ts';
import { listRunIds, madeFolder, runPath } from '../records/runs-folder.ts';
import { earlierRunName } from '../records/since-run.ts';
import { overridesOf } from './eval-settings.ts';
import type { EvalFile } from './find-eval.ts';
import { judgeCassette } from './judge-cassette.ts';

export interface OpenedJudges extends JudgeService, AsyncDisposable {
  /** Flows that judge. */
  readonly count: number;
}

export interface JudgeSettings {
  readonly connectionsFile?: string | undefined;
  /** That of the flow: each judge has one of its own beside it. */
  readonly cassette?: CassetteSettings | undefined;
  /** Whether it is told, once they are closed, how far they and their cassettes have grown apart. */
  readonly reportsDrift?: boolean;
  /** Asks also where nothing has changed since they judged last. */
  readonly asksAgain?: boolean | undefined;
  /** Aborted, no more is asked of them. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns of a loop and orders of answers are repetitions of a row in a judge's record; so many belong to one of its own. */
const questionsOfRow = 1000;
const askedAtOnce = 8;

/**
 * Makes ready the flows that judge. Each is recorded as a run of its own; where nothing has changed since it judged last,
 * what it said then is taken.
 *
 * @throws FlowNotReady where one cannot run
 */
export async function openJudges(
  spec: EvalSpec,
  { folder }: EvalFile,
  settings: JudgeSettings,
  host: ProjectHost,
): Promise<OpenedJudges> {
  const opened = new Map<string, ReadyJudge>();
  for (const metric of spec.metrics) {
    const { flow, connections } = metric.parameters;
    if (metric.evaluator.judgedBy === undefined || typeof flow !== 'string') continue;
    const judge = { flow, connections: connections as ChosenJudge['connections'] };
    const ready = opened.get(keyOf(judge)) ?? (await openJudge(judge, folder, settings, host));
    opened.set(keyOf(judge), ready);
  }
  const judges = new Map<string, FlowJudge>();
  const stop = settings.signal;
  return {
    count: opened.size,
    warn: (message) => notify(host, { kind: 'warning', message }),
    open(judge, key) {
      const ready = opened.get(keyOf(judge));
      if (ready === undefined) throw new Error(`bug: the judge ${judge.flow} was not opened`);
      const own = `${keyOf(judge)}\0${key}`;
      const known = judges.get(own) ?? new FlowJudge(ready, stop);
      judges.set(own, known);
      return known;
    },
    settle: async () => {
      if (stop?.aborted === true && opened.size > 0) throw stoppedWhileJudging();
      for (const judge of judges.values()) await judge.settle();
    },
    [Symbol.asyncDispose]: async () => {
      for (const judge of judges.values()) await judge[Symbol.asyncDispose]();
      for (const { flow } of opened.values()) await flow[Symbol.asyncDispose]();
    },
  };
}

/** One flow that is given two models is two judges. */
function keyOf({ flow, connections }: ChosenJudge): string {
  return JSON.stringify([flow, connections ?? {}]);
}

function stoppedWhileJudging(): ProjectFailure {
  return new ProjectFailure('stopped while judges were asked', {
    help: 'What they said so far is recorded, and is taken when the run is scored again: flow eval … --run RUN.',
    code: 'Interrupted',
    kind: 'stopped',
  });
}

interface ReadyJudge {
  readonly flow: RunnableFlow;
  readonly found: FoundFlow;
  readonly flowDigest: string;
  readonly since: string | undefined;
  readonly host: ProjectHost;
}

async function openJudge(
  { flow, connections }: ChosenJudge,
  folder: string,
  settings: JudgeSettings,
  host: ProjectHost,
): Promise<ReadyJudge> {
  const path = resolve(folder, flow);
  const { connectionsFile, asksAgain = false, reportsDrift = false } = settings;
  const found = findFlow(shownPath(path, host.folder), host);
  const cassette = judgeCassette(path, connections, settings.cassette);
  const judgeHost = withNotices(
    { ...host, runsFolder: madeFolder(host.runsFolder) },
    (notice) => notice.kind !== 'cassette' || reportsDrift,
  );
  // What is on record elsewhere would be missing on the cassette.
  const isKnown = !asksAgain && cassette === undefined;
  const since = isKnown ? await lastJudged(found, judgeHost) : undefined;
  const opened = await openForRun(
    found,
    { overrides: overridesOf(connections), environment: {}, since, cassette, connectionsFile },
    judgeHost,
  );
  return {
    flow: opened.flow,
    found,
    flowDigest: digestNow(opened.flow.plan, found, judgeHost),
    since: since === undefined ? since : await earlierRunName(since, judgeHost),
    host: judgeHost,
  };
}

/** Of the last runs in which this flow judged, the one that judged most: file of its record. */
async function lastJudged({ file }: FoundFlow, { folder, runsFolder }: ProjectHost): Promise<string | undefined> {
  let most: { readonly path: string; readonly rows: number } | undefined;
  let seen = 0;
  for (const path of listRunIds(runsFolder).map((id) => runPath(runsFolder, id))) {
    const rows = await rowsJudged(path, shownPath(file, folder));
    if (rows === undefined) continue;
    if (rows > (most?.rows ?? 0)) most = { path, rows };
    seen += 1;
    if (seen === maxLookedAt) break;
  }
  return most?.path;
}

const maxLookedAt = 10;

/** undefined where this flow did not judge in the run. */
async function rowsJudged(path: string, flowPath: string): Promise<number | undefined> {
  try {
    await using store = lookAtRecordFile(path);
    const { flowPath: of, options: { judge } = {} } = store.info;
    return judge === true && of === flowPath ? (await store.rowCounts()).Completed : undefined;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

class FlowJudge implements Judge, AsyncDisposable {
  private readonly ready: ReadyJudge;
  private readonly stop: AbortSignal | undefined;
  private readonly asked = new Map<string, Promise<Judged>>();
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;
  private record: RecordedRun | undefined;
  private isSettled = false;
  private logged: JsonObject = {};

  constructor(ready: ReadyJudge, stop: AbortSignal | undefined) {
    this.ready = ready;
    this.stop = stop;
  }

  ask(inputs: JsonObject, place: Parameters<Judge['ask']>[1]): Promise<Judged> {
    const key = `${place.line}/${place.repeat}/${place.turn}`;
    const known = this.asked.get(key) ?? this.inTurn(() => this.judge(inputs, place));
    this.asked.set(key, known);
    return known;
  }

  metrics(): JsonObject {
    return this.logged;
  }

  run(): string | undefined {
    return this.record?.id;
  }

  /** Runs the nodes over all rows, once. */
  async settle(): Promise<void> {
    if (this.record === undefined || this.isSettled) return;
    this.isSettled = true;
    const { store, id } = this.record;
    const { nodes, metrics } = await this.ready.flow.runAggregation(completedRows(store), { runId: id });
    await store.append(nodes);
    await store.appendMetrics(metrics);
    this.logged = metrics;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.record?.store[Symbol.asyncDispose]();
  }

  private async judge(inputs: JsonObject, { line, repeat, turn }: Parameters<Judge['ask']>[1]): Promise<Judged> {
    const { flow, found, flowDigest, since, host } = this.ready;
    const { stop: signal } = this;
    if (signal?.aborted === true) return { failed: 'stopped' };
    this.record ??= recordRun(flow, found, { since, flowDigest, options: { judge: true }, data: {} }, host);
    const { id, store } = this.record;
    const place = { line, repeat: repeat * questionsOfRow + turn };
    const { row, nodes } = await flow.runRow(inputs, {
      runId: id,
      ...place,
      ...(signal === undefined ? {} : { signal }),
    });
    if (row.status !== 'Canceled') await store.append(nodes, row);
    if (row.status === 'Completed') return { outputs: row.outputs };
    if (row.error === undefined) return { failed: 'stopped' };
    const { code, message, cause } = row.error;
    return { failed: code, message: cause?.message ?? message };
  }

  /** Some at a time: a judge is a model more often than not. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= askedAtOnce) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.underWay += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.underWay -= 1;
      else next();
    }
  }
}

async function* completedRows(reader: RunReader): AsyncGenerator<RowResult, void> {
  for await (const records of eachOf(reader.records())) if (records.row.status === 'Completed') yield records;
}
