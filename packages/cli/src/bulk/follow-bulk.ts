import type { BulkJob, BulkJobEvent, Following } from '@unroll/project';
import { type Io, outputClosed } from '../io.ts';
import type { OutputSettings } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { type BulkReporter, createReporter } from './bulk-reporter.ts';
import { resumeCommand } from './end-bulk.ts';

/** Tells of a run over data while it goes on, and stops it when the user interrupts. `end` takes what is drawn away. */
export function followBulk(
  job: BulkJob,
  settings: OutputSettings,
  io: Io,
): Required<Pick<Following, 'signal' | 'onEvent'>> & { readonly end: () => void } {
  let reporter: BulkReporter | undefined;
  const end = (): void => {
    reporter?.end();
    reporter = undefined;
  };
  const signal = io.interruption(() => {
    end();
    io.stderr.write(`ended at once; it goes on with\n  ${resumeCommand(job, settings)}\n`);
  });
  if (settings.json) io.stdout.write(stringifyJsonLine(startedEvent(job)));
  const isUnread = (): boolean => signal.reason === outputClosed;
  const rowsEnded = (stopped: boolean): void => {
    // Only now it is known whether there was anything left to stop.
    if (stopped && isUnread()) io.stderr.write(`${unreadText}\n  ${resumeCommand(job, settings)}\n`);
    end();
  };
  const onEvent = (event: BulkJobEvent): void => {
    if (event.type === 'run-started') reporter = startReporter(event, job, settings, io);
    else if (event.type === 'row-ended') reporter?.rowEnded(event.row);
    else if (event.type === 'rows-ended') rowsEnded(event.stopped);
    else if (event.type === 'run-stopping' && !isUnread()) reporter?.stopping(event.budget);
  };
  return { signal, onEvent, end };
}

/** A run costs money: one whose rows nobody looks at any more (`flow run --json | head`) is stopped as by Ctrl-C. */
const unreadText = 'stopped: nobody reads the output any more; the run goes on with';

function startReporter(
  { progress, flow }: Extract<BulkJobEvent, { readonly type: 'run-started' }>,
  { rows, record }: BulkJob,
  settings: OutputSettings,
  io: Io,
): BulkReporter {
  const style = createStyle(usesColor(io.stderr, io, settings.color));
  const how = { json: settings.json === true, quiet: settings.quiet === true };
  return createReporter({ progress, io, title: flow, about: `${rows.about}  ${record.id}`, style }, how);
}

function startedEvent({ opened, rows, record, isResumed }: BulkJob) {
  return {
    event: isResumed ? 'run-resumed' : 'run-started',
    run_id: record.id,
    record: record.path,
    flow: opened.flow.plan.name,
    data: rows.data.path ?? null,
    rows: rows.data.total ?? null,
  };
}
