import type { DataRow } from '../data/data-row.ts';
import type { NodeError } from '../node/node-error.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import { givesAgain, markedInexact } from '../record/reads-back.ts';
import type { RunLog } from '../record/run-log.ts';
import type { RunReader } from '../record/run-reader.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { JsonValue } from '../value/json.ts';
import { type AggregateOptions, aggregateRows } from './aggregate-rows.ts';
import { createEventLoopYielder } from './event-loop-yielder.ts';
import { limitRows, type RowLimits, type RunLimit, startRunLimit } from './limit-rows.ts';
import { LiveOutputs } from './live-outputs.ts';
import { RecordKeeper } from './record-keeper.ts';
import { redactedError } from './redacted-run.ts';
import { type RowPace, runSlots } from './row-pace.ts';
import { type PulledRow, type RowQueue, rowQueue } from './row-queue.ts';
import type { RunEvent } from './run-event.ts';
import type { RowResult, RunnableFlow, Streaming } from './run-flow.ts';

export interface BulkOptions {
  readonly runId: string;
  /** Rows in flight at the same time. */
  readonly concurrency: number | RowPace;
  /** Aborted: no new row starts, those in flight end. */
  readonly stop?: AbortSignal | undefined;
  /** Aborted: rows in flight are given up too. */
  readonly signal?: AbortSignal | undefined;
  readonly rowTimeoutMs?: number | undefined;
  /** Of the whole run: once it is over no new row starts, rows in flight fail, aggregation nodes do not run or are given up. */
  readonly timeoutMs?: number | undefined;
  /** How often each row runs; 1 where absent. */
  readonly repeat?: number | undefined;
  /** Number of data rows, where it is known before they are read. */
  readonly total?: number | undefined;
  /** The data is not what it was when the record began: what nodes gave for a row that had not ended may be of another row. */
  readonly beginsRowsAnew?: boolean | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Which answers of models are told piece by piece; absent: none. */
  readonly streaming?: Streaming | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface BulkResult {
  /** Rows of the record when the run ended, those of an earlier attempt too. */
  readonly rows: number;
  readonly completed: number;
  readonly failed: number;
  readonly canceled: number;
  /** Completed rows in which a loop reached its bound unfinished. */
  readonly unfinished: number;
  /** Whether it was stopped before all rows and aggregation nodes had run; `aggregation` is then empty. */
  readonly stopped: boolean;
  /** Whether it was stopped because its time was over. */
  readonly timedOut: boolean;
  readonly metrics: Readonly<Record<string, JsonValue>>;
  readonly aggregation: readonly NodeRun[];
}

/**
 * Runs rows of a dataset, a fixed number at a time, and then the aggregation nodes over the completed ones. A row that
 * fails stops no other. Each node's record is handed to the store as soon as the node ended, so that a run that was
 * killed goes on from there: rows the store holds are skipped, nodes it holds are not run again. `row-ended` comes when
 * the row is durable.
 *
 * @throws what the store or the data throws, once the rows in flight have ended
 */
export async function runBulk(
  flow: RunnableFlow,
  data: AsyncIterable<DataRow> | Iterable<DataRow>,
  store: RunLog,
  options: BulkOptions,
): Promise<BulkResult> {
  const rows = rowQueue(data, options.repeat ?? 1);
  const keeper = new RecordKeeper(store);
  using limit = options.timeoutMs === undefined ? undefined : startRunLimit(options.timeoutMs);
  const limits = limitRows({ timeoutMs: options.rowTimeoutMs, signal: options.signal, runLimit: limit });
  const live = new LiveOutputs(flow.plan);
  const about = { nextLine: await store.nextLine(), breathe: createEventLoopYielder() };
  const bulk: Bulk = { flow, rows, store, keeper, live, options, limit, limits, ...about };
  const slots = await runSlots(options.concurrency, (isWanted) => runSlot(bulk, isWanted));
  await rows.close();
  await keeper.settled();
  const broken = slots.find((slot) => slot.status === 'rejected');
  if (keeper.failure !== undefined) throw keeper.failure.error;
  if (broken !== undefined) throw broken.reason;
  const ended = isStopped(bulk) ? undefined : await aggregateRows(flow, bulk, aggregateOptions(bulk));
  const stopped = ended === undefined;
  const timedOut = stopped && limit?.over.aborted === true;
  await store.ensureKept();
  return { ...(await countRows(store)), stopped, timedOut, metrics: await store.metrics(), aggregation: ended ?? [] };
}

interface Bulk {
  readonly flow: RunnableFlow;
  readonly rows: RowQueue;
  readonly store: RunLog;
  readonly keeper: RecordKeeper;
  readonly live: LiveOutputs;
  readonly options: BulkOptions;
  readonly limit: RunLimit | undefined;
  readonly limits: RowLimits;
  /** Rows from here on were new when the run began. */
  readonly nextLine: number;
  readonly breathe: () => Promise<void> | undefined;
}

async function runSlot(bulk: Bulk, isWanted: () => boolean): Promise<void> {
  while (!isStopped(bulk) && bulk.keeper.failure === undefined && isWanted()) {
    const pulled = await bulk.rows.next();
    if (pulled === undefined) return;
    await runPulled(bulk, pulled);
    await bulk.breathe();
  }
}

function isStopped({ options: { stop, signal }, limit }: Bulk): boolean {
  return stop?.aborted === true || signal?.aborted === true || limit?.over.aborted === true;
}

function aggregateOptions({ options, limit, nextLine }: Bulk): AggregateOptions {
  const signals = [options.signal, limit?.over].filter((one) => one !== undefined);
  return { ...options, signal: AbortSignal.any(signals), isResumed: nextLine > 0 };
}

async function runPulled(bulk: Bulk, pulled: PulledRow): Promise<void> {
  const { store, keeper, live, options, nextLine } = bulk;
  const { line } = pulled.row;
  const known = line < nextLine ? await store.row(line, pulled.repeat) : undefined;
  if (known !== undefined) {
    const given = 'values' in pulled.row ? { given: pulled.row.values } : {};
    options.onEvent?.({ type: 'row-skipped', row: known, ...given });
    return;
  }
  options.onEvent?.({ type: 'row-started', line, repeat: pulled.repeat });
  const result = await runRow(bulk, pulled);
  const { row, nodes } = result;
  const kept = live.keep(result);
  if (kept !== undefined) await kept;
  const tell = (): void => options.onEvent?.({ type: 'row-ended', row });
  if (row.status === 'Canceled') tell();
  else await keeper.row(nodes.filter(isLeft).map(markedInexact), row, tell);
}

/** Completed nodes were recorded when they ended, but for those whose records do not give their outputs again. */
function isLeft(run: NodeRun): boolean {
  return run.status !== 'Completed' || !givesAgain(run);
}

async function runRow(
  { flow, store, keeper, options, limits, nextLine }: Bulk,
  { row, repeat }: PulledRow,
): Promise<RowResult> {
  const { line } = row;
  if ('problem' in row) return { row: unreadable(row, repeat, options, flow.redactor), nodes: [] };
  const finished = line < nextLine ? await finishedNodes(store, { line, repeat }, options) : undefined;
  const { runId, onEvent, streaming } = options;
  return await limits.run(line, (rowSignal) =>
    flow.runRow(row.values, {
      runId,
      line,
      repeat,
      signal: rowSignal,
      ...(finished === undefined ? {} : { finished }),
      ...(streaming === undefined ? {} : { streaming }),
      onEvent: (event) => {
        if (event.type === 'node-ended' && isNew(event.run, finished)) keeper.node(event.run);
        onEvent?.(event);
      },
    }),
  );
}

/** A row that goes on after an interruption takes the recorded outputs: what cannot be taken is recorded with its row. */
function isNew(run: NodeRun, finished: ReadonlyMap<string, NodeRun> | undefined): boolean {
  return !isLeft(run) && finished?.has(run.node) !== true;
}

/** Nodes of a row that completed in an earlier attempt and whose records give all that they gave; none of a row that begins anew. */
async function finishedNodes(
  store: RunLog,
  { line, repeat }: RowOfRun,
  { beginsRowsAnew = false }: BulkOptions,
): Promise<ReadonlyMap<string, NodeRun> | undefined> {
  const recorded = await store.nodes(line, repeat);
  if (beginsRowsAnew && recorded.length > 0) {
    await store.reopen([{ line, repeat, isAnew: true }]);
    return undefined;
  }
  const completed = recorded.filter(({ status, inexact }) => status === 'Completed' && inexact === undefined);
  return completed.length === 0 ? undefined : new Map(completed.map((run) => [run.node, run]));
}

interface RowOfRun {
  readonly line: number;
  readonly repeat: number;
}

function unreadable(
  row: DataRow & { readonly problem: string },
  repeat: number,
  options: BulkOptions,
  redactor: Redactor,
): RowRun {
  const failure: NodeError = { code: 'DataLineError', message: row.problem, retryable: false };
  const error = redactedError(failure, redactor);
  return {
    line: row.line,
    ...(repeat === 0 ? {} : { repeat }),
    status: 'Failed',
    inputs: {},
    outputs: {},
    error,
    startedAt: options.now?.() ?? Date.now(),
    durationMs: 0,
  };
}

async function countRows(
  reader: RunReader,
): Promise<Pick<BulkResult, 'rows' | 'completed' | 'failed' | 'canceled' | 'unfinished'>> {
  const { Completed: completed, Failed: failed, Canceled: canceled } = await reader.rowCounts();
  const unfinished = await reader.unfinishedCount();
  return { rows: completed + failed + canceled, completed, failed, canceled, unfinished };
}
