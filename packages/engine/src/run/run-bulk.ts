import type { DataRow } from '../data/data-row.ts';
import type { NodeError } from '../node/node-error.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { RunStore } from '../record/run-store.ts';
import type { Value } from '../value/json.ts';
import type { RowResult, RunEvent, RunnableFlow } from './run-flow.ts';
import { withRowTimeout } from './with-row-timeout.ts';

export interface BulkOptions {
  readonly runId: string;
  /** Rows in flight at the same time. */
  readonly concurrency: number;
  /** Aborted: no new row starts, those in flight end. */
  readonly stop?: AbortSignal | undefined;
  /** Aborted: rows in flight are given up too. */
  readonly signal?: AbortSignal | undefined;
  readonly rowTimeoutMs?: number | undefined;
  /** How often each row runs; 1 where absent. */
  readonly repeat?: number | undefined;
  /** Number of data rows, where it is known before they are read. */
  readonly total?: number | undefined;
  readonly onEvent?: ((event: BulkEvent) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Everything that can happen while rows run; a live display is a listener. */
export type BulkEvent =
  | RunEvent
  | { readonly type: 'row-started'; readonly line: number; readonly repeat: number }
  | { readonly type: 'row-ended'; readonly row: RowRun }
  /** A row that the record holds already. */
  | { readonly type: 'row-skipped'; readonly row: RowRun };

export interface BulkResult {
  /** Rows of the record when the run ended, those of an earlier attempt too. */
  readonly rows: number;
  readonly completed: number;
  readonly failed: number;
  readonly canceled: number;
  /** Completed rows in which a loop reached its bound unfinished. */
  readonly unfinished: number;
  /** Whether it was stopped before all rows had run; aggregation nodes then have not run. */
  readonly stopped: boolean;
  readonly metrics: Readonly<Record<string, Value>>;
  readonly aggregation: readonly NodeRun[];
}

/**
 * Runs rows of a dataset, a fixed number at a time, and then the aggregation nodes over the completed ones. A row that
 * fails stops no other. Each node's record is handed to the store as soon as the node ended, so that a run that was
 * killed goes on from there: rows the store holds are skipped, nodes it holds are not run again.
 */
export async function runBulk(
  flow: RunnableFlow,
  data: AsyncIterable<DataRow> | Iterable<DataRow>,
  store: RunStore,
  options: BulkOptions,
): Promise<BulkResult> {
  const pull = puller(data, options.repeat ?? 1);
  const writer = createWriter(store);
  const breathe = createBreather();
  const slots = Array.from({ length: Math.max(1, options.concurrency) }, async () => {
    while (!isStopped(options) && writer.failure() === undefined) {
      const next = await pull();
      if (next === undefined) return;
      await runSlot(flow, next, { store, writer }, options);
      await breathe();
    }
  });
  await Promise.all(slots);
  const failure = writer.failure();
  if (failure !== undefined) throw failure.error;
  const stopped = isStopped(options);
  const aggregated = stopped ? { nodes: [], metrics: {} } : await aggregate(flow, store, options);
  return { ...countRows(store), stopped, metrics: store.metrics(), aggregation: aggregated.nodes };
}

const longestBreathMs = 20;

/** Rows whose nodes answer at once would keep timers and signals waiting; this lets them in from time to time. */
function createBreather(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < longestBreathMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        last = performance.now();
        resolve();
      }),
    );
  };
}

/** Hands records to the store. The first that cannot be kept ends the run: what is not recorded would be lost. */
interface RecordWriter {
  write(nodes: readonly NodeRun[], row?: RowRun): Promise<void>;
  failure(): { readonly error: unknown } | undefined;
}

function createWriter(store: RunStore): RecordWriter {
  let failure: { readonly error: unknown } | undefined;
  return {
    async write(nodes, row) {
      try {
        await store.append(nodes, row);
      } catch (error) {
        failure ??= { error };
      }
    },
    failure: () => failure,
  };
}

interface Recording {
  readonly store: RunStore;
  readonly writer: RecordWriter;
}

interface PulledRow {
  readonly row: DataRow;
  readonly repeat: number;
}

/** Gives each row `repeat` times, one at a time whoever asks. */
function puller(
  data: AsyncIterable<DataRow> | Iterable<DataRow>,
  repeat: number,
): () => Promise<PulledRow | undefined> {
  const rows = repeated(data, repeat);
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(async () => {
      const { done, value } = await rows.next();
      return done === true ? undefined : value;
    });
    last = next.catch(() => undefined);
    return next;
  };
}

async function* repeated(
  data: AsyncIterable<DataRow> | Iterable<DataRow>,
  times: number,
): AsyncGenerator<PulledRow, void> {
  for await (const row of data) {
    for (let repeat = 0; repeat < times; repeat += 1) yield { row, repeat };
  }
}

function isStopped({ stop, signal }: BulkOptions): boolean {
  return stop?.aborted === true || signal?.aborted === true;
}

async function runSlot(
  flow: RunnableFlow,
  pulled: PulledRow,
  recording: Recording,
  options: BulkOptions,
): Promise<void> {
  const { store, writer } = recording;
  const { line } = pulled.row;
  const known = store.row(line, pulled.repeat);
  if (known !== undefined) {
    options.onEvent?.({ type: 'row-skipped', row: known });
    return;
  }
  options.onEvent?.({ type: 'row-started', line, repeat: pulled.repeat });
  const result = await runOne(flow, pulled, recording, options);
  if (result.row.status !== 'Canceled') await writer.write(result.nodes, result.row);
  if (writer.failure() !== undefined) return;
  options.onEvent?.({ type: 'row-ended', row: result.row });
}

async function runOne(
  flow: RunnableFlow,
  { row, repeat }: PulledRow,
  { store, writer }: Recording,
  options: BulkOptions,
): Promise<RowResult> {
  const { line } = row;
  if ('problem' in row) return { row: unreadable(row, repeat, options), nodes: [] };
  const before = store.nodes(line, repeat).filter(({ status }) => status === 'Completed');
  const { runId, signal, rowTimeoutMs, onEvent } = options;
  return await withRowTimeout({ line, timeoutMs: rowTimeoutMs, signal }, (rowSignal) =>
    flow.runRow(row.values, {
      runId,
      line,
      repeat,
      signal: rowSignal,
      finished: new Map(before.map((run) => [run.node, run])),
      onEvent: (event) => {
        if (event.type === 'node-ended' && event.run.status === 'Completed') void writer.write([event.run]);
        onEvent?.(event);
      },
    }),
  );
}

function unreadable(row: DataRow & { readonly problem: string }, repeat: number, options: BulkOptions): RowRun {
  const error: NodeError = {
    code: 'DataLineError',
    message: row.problem,
    retryable: false,
    codes: ['UserError', 'DataLineError'],
  };
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

async function aggregate(
  flow: RunnableFlow,
  store: RunStore,
  options: BulkOptions,
): ReturnType<RunnableFlow['runAggregation']> {
  const names = flow.plan.nodes.flatMap((node) => (node.aggregation ? [node.name] : []));
  const recorded = names.length === 0 ? [] : store.nodes(0).filter(({ node }) => names.includes(node));
  if (recorded.length === names.length) return { nodes: recorded, metrics: store.metrics() };
  const rows: RowResult[] = [];
  for (const row of store.rows()) {
    if (row.status === 'Completed') rows.push({ row, nodes: store.nodes(row.line, row.repeat) });
  }
  const { runId, signal, onEvent } = options;
  const aggregated = await flow.runAggregation(rows, {
    runId,
    ...(signal === undefined ? {} : { signal }),
    ...(onEvent === undefined ? {} : { onEvent }),
  });
  await store.append(aggregated.nodes);
  await store.appendMetrics(aggregated.metrics);
  return aggregated;
}

function countRows(store: RunStore): Pick<BulkResult, 'rows' | 'completed' | 'failed' | 'canceled' | 'unfinished'> {
  const counts = { rows: 0, completed: 0, failed: 0, canceled: 0, unfinished: 0 };
  for (const row of store.rows()) {
    counts.rows += 1;
    if (row.status === 'Completed') counts.completed += 1;
    else if (row.status === 'Failed') counts.failed += 1;
    else counts.canceled += 1;
    if (row.status === 'Completed' && (row.unfinished ?? []).length > 0) counts.unfinished += 1;
  }
  return counts;
}
