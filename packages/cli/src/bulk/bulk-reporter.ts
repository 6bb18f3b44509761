import type { RowRun } from '@unroll/engine';
import type { ProgressView } from '@unroll/project';
import type { Io } from '../io.ts';
import { paintedLine } from '../text/painted-line.ts';
import { createStyle, type Style } from '../text/style.ts';
import { createLiveBlock } from './live-display.ts';
import { liveFrame } from './live-frame.ts';
import { joinFacts, limitFacts, paceFacts, rowFacts } from './progress-facts.ts';

/** Tells of a run while it goes on; what came of it is told afterwards. */
export interface BulkReporter {
  rowEnded(row: RowRun): void;
  /** The user asked the run to stop, or a budget is reached, which is said then. */
  stopping(budget?: string): void;
  /** Nothing of it is left on a terminal. */
  end(): void;
}

export interface ReporterOptions {
  readonly progress: () => ProgressView;
  readonly io: Io;
  readonly title: string;
  readonly about: string;
  readonly style: Style;
}

/** The one that fits the options and where stderr goes. */
export function createReporter(
  options: ReporterOptions,
  how: { readonly json: boolean; readonly quiet: boolean },
): BulkReporter {
  if (how.json) return createJsonReporter(options);
  if (how.quiet) return createQuietReporter();
  return options.io.stderr.isTerminal ? createLiveReporter(options) : createLinesReporter(options);
}

const framesASecond = 10;

/** On a terminal: a picture drawn in place, at most ten times a second. */
function createLiveReporter({ progress, io, title, about, style }: ReporterOptions): BulkReporter {
  const block = createLiveBlock(io.stderr);
  let isStopping = false;
  const draw = (): void => {
    const { columns = 80, rows: lines = 24 } = io.stderr;
    block.draw(liveFrame(progress(), { title, about, isStopping, columns, lines, style }));
  };
  draw();
  const stop = io.every(1000 / framesASecond, draw);
  return {
    rowEnded: () => undefined,
    stopping() {
      isStopping = true;
      draw();
    },
    end() {
      stop();
      block.clear();
    },
  };
}

/** No terminal: a line when something changed, every five seconds at first, later more rarely, and one at the end. */
function createLinesReporter({ progress, io }: ReporterOptions): BulkReporter {
  const told = createChangeTeller((line) => io.stderr.write(`${line}\n`));
  const stop = io.every(1000, () => told.tell(progress()));
  return {
    rowEnded: () => undefined,
    stopping: (budget) =>
      io.stderr.write(
        budget === undefined
          ? 'stopping: no new rows, those in flight finish; interrupt again to end at once\n'
          : `stopping: the budget is reached, ${budget}: no new rows, those in flight finish\n`,
      ),
    end() {
      stop();
      told.tell(progress(), true);
    },
  };
}

/** @param write gets a line without its end */
export function createChangeTeller(write: (line: string) => void): {
  readonly tell: (view: ProgressView, isLast?: boolean) => void;
} {
  let last = '';
  let lastAt = 0;
  return {
    tell(view, isLast = false) {
      const { completed, failed, canceled } = view.rows;
      const now = `${completed} ${failed} ${canceled}`;
      const wait = Math.min(60_000, Math.max(5_000, view.elapsedMs / 20));
      if (now === last || (!isLast && view.elapsedMs - lastAt < wait)) return;
      last = now;
      lastAt = view.elapsedMs;
      write(progressLine(view));
    },
  };
}

const plain = createStyle(false);

/** `0:12  620 of 1,000  62 %  3 failed  16 in flight  34.2/s  11 s left`. */
function progressLine(view: ProgressView): string {
  const clock = { text: `${Math.floor(view.elapsedMs / 1000)} s` };
  const facts = [clock, ...rowFacts(view, plain), ...paceFacts(view), ...limitFacts(view, plain)];
  return paintedLine(joinFacts(facts), Number.POSITIVE_INFINITY);
}

/** `--json`: a line a row on stdout. */
function createJsonReporter({ io }: ReporterOptions): BulkReporter {
  return {
    rowEnded: (row) => io.stdout.write(`${rowEvent(row)}\n`),
    stopping: (budget) =>
      io.stdout.write(`${JSON.stringify({ event: 'stopping', ...(budget === undefined ? {} : { budget }) })}\n`),
    end: () => undefined,
  };
}

function rowEvent({ line, repeat = 0, status, durationMs, error, unfinished }: RowRun): string {
  return JSON.stringify({
    event: 'row-ended',
    line,
    repeat,
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    error: error === undefined ? null : { code: error.code, message: error.message, node: error.node ?? null },
    ...(unfinished === undefined || unfinished.length === 0 ? {} : { unfinished }),
  });
}

/** `--quiet`. */
function createQuietReporter(): BulkReporter {
  return { rowEnded: () => undefined, stopping: () => undefined, end: () => undefined };
}
