import type { RowRun } from '@unroll/engine';
import type { DatasetRunStarted, ProgressView, Reporter } from '@unroll/project';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { failureResult, stringifyJsonLine } from '../runs/run-result.ts';
import { paintedLine } from '../text/painted-line.ts';
import { createStyle, styleOf } from '../text/style.ts';
import { createLiveBlock } from './live-display.ts';
import { liveFrame } from './live-frame.ts';
import {
  failingFacts,
  joinFacts,
  limitFacts,
  paceFacts,
  rowFacts,
  waitingFacts,
  workerFacts,
} from './progress-facts.ts';

/** Tells of a run over data while it goes on: the reporter that fits the options and where stderr goes. */
export function createProgressReporter(settings: OutputSettings, io: Io): Reporter {
  if (settings.json === true) return createJsonReporter(io);
  if (settings.quiet === true) return () => undefined;
  return whileRunning((started) =>
    io.stderr.isTerminal ? startDisplay(started, settings, io) : startLines(started, io),
  );
}

/** Shows a run that is under way. */
interface Display {
  /** The user asked the run to stop, or a budget is reached, which is said then. */
  stopping(budget?: string): void;
  /** Nothing of it is left on a terminal. */
  end(): void;
}

/** A display from the start of each run to the end of its rows. */
function whileRunning(start: (started: DatasetRunStarted) => Display): Reporter {
  let display: Display | undefined;
  return (event) => {
    if (event.type === 'run-started' && event.kind === 'dataset') display = start(event);
    else if (event.type === 'run-stopping') display?.stopping(event.budget);
    else if (event.type === 'rows-ended') {
      display?.end();
      display = undefined;
    }
  };
}

const framesASecond = 10;

/** On a terminal: a picture drawn in place, at most ten times a second. */
function startDisplay({ plan, about, record, progress }: DatasetRunStarted, settings: OutputSettings, io: Io): Display {
  const block = createLiveBlock(io.stderr);
  const titles = { title: plan.name, about: `${about}  ${record.id}` };
  const style = styleOf(io.stderr, io, settings.color);
  let isStopping = false;
  const draw = (): void => {
    const { columns = 80, rows: lines = 24 } = io.stderr;
    block.draw(liveFrame(progress(), { ...titles, isStopping, columns, lines, style }));
  };
  draw();
  const stop = io.every(1000 / framesASecond, draw);
  return {
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

/** No terminal: a line every five seconds where rows have ended, every ten where none has, and one at the end. */
function startLines({ progress }: DatasetRunStarted, io: Io): Display {
  const changes = createChangeReporter((line) => io.stderr.write(`${line}\n`));
  const stop = io.every(1000, () => changes.tell(progress()));
  return {
    stopping: (budget) =>
      io.stderr.write(
        budget === undefined
          ? `stopping: no new rows; ${inFlightText(progress())}interrupt again to end at once\n`
          : `stopping: the budget is reached, ${budget}: no new rows, those in flight finish\n`,
      ),
    end() {
      stop();
      changes.tell(progress(), true);
    },
  };
}

/** @param write gets a line without its end */
export function createChangeReporter(write: (line: string) => void): {
  readonly tell: (view: ProgressView, isLast?: boolean) => void;
} {
  let last = '';
  let lastAt = 0;
  return {
    tell(view, isLast = false) {
      const { completed, failed, canceled } = view.rows;
      const now = `${completed} ${failed} ${canceled}`;
      const wait = now === last ? 10_000 : 5_000;
      if (isLast ? now === last : view.elapsedMs - lastAt < wait) return;
      last = now;
      lastAt = view.elapsedMs;
      write(progressLine(view));
    },
  };
}

/** `3 rows in flight finish (waiting for ask 2, search 1); `; where all rows have ended, `waiting for total 1; `. */
function inFlightText(view: ProgressView): string {
  const { inFlight } = view.rows;
  const [waiting] = waitingFacts(view);
  if (inFlight === 0) return waiting === undefined ? '' : `${waiting.text}; `;
  const whom = waiting === undefined ? '' : ` (${waiting.text})`;
  return `${inFlight} ${inFlight === 1 ? 'row' : 'rows'} in flight ${inFlight === 1 ? 'finishes' : 'finish'}${whom}; `;
}

const plain = createStyle(false);

/** `0:12  620 of 1,000  62 %  3 failed  16 in flight  34.2/s  11 s left`. */
function progressLine(view: ProgressView): string {
  const clock = { text: `${Math.floor(view.elapsedMs / 1000)} s` };
  const counts = [
    ...rowFacts(view, plain),
    ...paceFacts(view),
    ...workerFacts(view),
    ...waitingFacts(view),
    ...limitFacts(view, plain),
    ...failingFacts(view, plain),
  ];
  const facts = [clock, ...counts];
  return paintedLine(joinFacts(facts), Number.POSITIVE_INFINITY);
}

/** `--json`: a line an event on stdout; described in docs/run-json.md. */
function createJsonReporter({ stdout }: Io): Reporter {
  return (event) => {
    if (event.type === 'run-started' && event.kind === 'dataset') stdout.write(stringifyJsonLine(startedEvent(event)));
    else if (event.type === 'row-ended') stdout.write(`${rowEvent(event.row)}\n`);
    else if (event.type === 'run-stopping') stdout.write(`${stoppingEvent(event.budget)}\n`);
  };
}

function startedEvent({ isResumed, record, plan, data, total }: DatasetRunStarted) {
  return {
    event: isResumed ? 'run-resumed' : 'run-started',
    run_id: record.id,
    record: record.path,
    flow: plan.name,
    data: data ?? null,
    rows: total ?? null,
  };
}

function stoppingEvent(budget: string | undefined): string {
  return JSON.stringify({ event: 'stopping', ...(budget === undefined ? {} : { budget }) });
}

function rowEvent({ line, repeat = 0, status, durationMs, error, unfinished }: RowRun): string {
  return JSON.stringify({
    event: 'row-ended',
    line,
    repeat,
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    error: error === undefined ? null : failureResult(error, error.node),
    ...(unfinished === undefined || unfinished.length === 0 ? {} : { unfinished }),
  });
}
