import {
  type DataRow,
  type RowId,
  type RowResult,
  type RunEvent,
  type RunLog,
  type RunnableFlow,
  runBulk,
} from '@unroll/engine';
import { persistently } from '../database/persistently.ts';
import { NodesInFlight } from './nodes-in-flight.ts';
import { type RowSlots, SlottedRows, type SlottedSettings } from './row-slots.ts';
import type { WorkedRun } from './worked-run.ts';

export interface RowsOfJob extends SlottedSettings {
  readonly rows: readonly DataRow[];
  readonly log: RunLog;
  /** Resolves when it is known to all that a row begins, where that is to be known. */
  readonly onBegin?: ((row: RowId) => Promise<void>) | undefined;
  readonly onBegun: () => void;
  /** Whether some of them may have run: what is recorded of them is looked up. */
  readonly mayHaveRun: boolean;
  /** Aborted: no new row of this job begins, since this worker is to end. */
  readonly stop: AbortSignal;
  /** Aborted: the job was given to another worker, and what is under way here is for nothing. */
  readonly lost: AbortSignal;
}

/**
 * Runs the rows of a job by the ordinary runner; aggregation nodes are left to the end of the run.
 *
 * @returns whether all of them have ended
 * @throws what the log throws
 */
export async function runRows(run: WorkedRun, job: RowsOfJob, slots: RowSlots): Promise<boolean> {
  const { repeat, concurrency, rowTimeoutMs, timeoutMs } = run.work.settings;
  const slotted = new SlottedRows(slots, job);
  const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(1, timeoutMs - run.standing.elapsedMs) };
  const log = logOfJob(job);
  const inFlight = new NodesInFlight();
  run.logs.add(job.log);
  run.inFlight.add(inFlight);
  try {
    let ended = 0;
    await runBulk(slottedFlow(run, slotted, job.onBegin), slotted.of(job.rows, repeat, job.onBegun), log, {
      runId: run.work.id,
      concurrency: job.isAlone ? 1 : concurrency,
      rowTimeoutMs,
      ...left,
      repeat,
      stop: AbortSignal.any([run.stopping.signal, job.stop]),
      signal: givenUp(run, job),
      onEvent: (event) => {
        if (hasEnded(event)) ended += 1;
        inFlight.take(event);
        onEvent(event, run, slotted);
      },
    });
    return ended === job.rows.length * repeat;
  } finally {
    run.logs.delete(job.log);
    run.inFlight.delete(inFlight);
    slotted.close();
  }
}

/** A request that is stopped is given up; rows of data that are in flight end. */
function givenUp({ work, stopping }: WorkedRun, { lost }: RowsOfJob): AbortSignal {
  return work.settings.request === undefined ? lost : AbortSignal.any([lost, stopping.signal]);
}

/** Recorded, now or before; a row that was given up is not. */
function hasEnded(event: RunEvent): boolean {
  return event.type === 'row-skipped' || (event.type === 'row-ended' && event.row.status !== 'Canceled');
}

function onEvent(event: RunEvent, run: WorkedRun, slotted: SlottedRows): void {
  if (event.type === 'node-ended') run.nodeEnded(event.run);
  else if (event.type === 'row-skipped') slotted.ended(event.row.line);
}

/** The flow without its nodes over all rows; a row that ended leaves its slot, durable or not. */
function slottedFlow(run: WorkedRun, slotted: SlottedRows, onBegin: RowsOfJob['onBegin']): RunnableFlow {
  const { flow } = run;
  return {
    ...flow,
    plan: { ...flow.plan, nodes: flow.plan.nodes.filter(({ aggregation }) => !aggregation) },
    async runRow(inputs, options): Promise<RowResult> {
      run.rows += 1;
      try {
        await onBegin?.({ line: options?.line ?? 0, repeat: options?.repeat ?? 0 });
        return await flow.runRow(inputs, options);
      } finally {
        run.rows -= 1;
        slotted.ended(options?.line ?? 0);
      }
    },
  };
}

/** The log of the whole run, of which a job looks at its own rows alone: nobody counts here what others have recorded. */
function logOfJob({ log, mayHaveRun }: RowsOfJob): RunLog {
  return {
    ...boundLog(log),
    nodes: (line, repeat) => persistently(() => log.nodes(line, repeat)),
    row: (line, repeat) => persistently(() => log.row(line, repeat)),
    nextLine: async () => (mayHaveRun ? Number.POSITIVE_INFINITY : 0),
    rowCounts: async () => ({ Completed: 0, Failed: 0, Canceled: 0 }),
    unfinishedCount: async () => 0,
    metrics: async () => ({}),
  };
}

function boundLog(log: RunLog): RunLog {
  return {
    info: log.info,
    nodes: (line, repeat) => log.nodes(line, repeat),
    row: (line, repeat) => log.row(line, repeat),
    rows: () => log.rows(),
    records: () => log.records(),
    rowEnds: () => log.rowEnds(),
    readRows: (wanted) => log.readRows(wanted),
    digests: () => log.digests(),
    rowCounts: () => log.rowCounts(),
    unfinishedCount: () => log.unfinishedCount(),
    nodeCounts: () => log.nodeCounts(),
    tokens: () => log.tokens(),
    nextLine: () => log.nextLine(),
    metrics: () => log.metrics(),
    append: (nodes, row) => log.append(nodes, row),
    appendMetrics: (metrics) => log.appendMetrics(metrics),
    reopen: (rows) => log.reopen(rows),
    ensureKept: () => log.ensureKept(),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}
