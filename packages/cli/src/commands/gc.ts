import { listRunIds, lockState, madeFolder, ProjectFailure, removeRun, runPath, runSize } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { GcSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { readRunLine } from '../runs/run-line.ts';
import { formatAge, formatSize } from '../text/format-amounts.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { table } from '../text/table.ts';

/** `flow gc`: removes records that are too old, too many or too much; without `--yes` it only says which. */
export async function gc(settings: GcSettings, io: Io): Promise<number> {
  const limits = readLimits(settings);
  const folder = hostOf(settings, io).runsFolder;
  const own = [...(await readRuns(folder, io.now())), ...(await readRuns(madeFolder(folder), io.now()))];
  const kept = own.sort((one, other) => one.age - other.age);
  const leaving = choose(kept, limits);
  const style = createStyle(usesColor(io.stdout, io, settings.color));
  const size = formatSize(leaving.reduce((sum, run) => sum + run.size, 0));
  if (leaving.length === 0) {
    io.stdout.write(
      `nothing to remove: ${kept.length} runs, ${formatSize(kept.reduce((sum, run) => sum + run.size, 0))}\n`,
    );
    return exitCode.done;
  }
  const titles = [{ title: 'run' }, { title: 'age', isNumber: true }, { title: 'size', isNumber: true }];
  const cells = leaving.map(({ id, age, size: bytes }) => [
    { text: id },
    { text: formatAge(age) },
    { text: formatSize(bytes) },
  ]);
  io.stdout.write(table(titles, cells, style.dim));
  if (!settings.yes) {
    io.stdout.write(`\n${leaving.length} of ${kept.length} runs, ${size}, would be removed; --yes removes them\n`);
    return exitCode.done;
  }
  for (const { id, path } of leaving) removeRun(path, id);
  io.stdout.write(`\nremoved ${leaving.length} of ${kept.length} runs, ${size}\n`);
  return exitCode.done;
}

export interface KeptRun {
  readonly id: string;
  readonly path: string;
  /** Milliseconds. */
  readonly age: number;
  /** Bytes. */
  readonly size: number;
  readonly isRunning: boolean;
}

export interface RunLimits {
  readonly age?: number;
  readonly size?: number;
  readonly count?: number;
}

/** The runs that go: older than the limit, or beyond number or size counted from the newest. One under way stays. */
export function choose(newestFirst: readonly KeptRun[], limits: RunLimits): readonly KeptRun[] {
  let bytes = 0;
  return newestFirst.filter((run, index) => {
    bytes += run.size;
    if (run.isRunning) return false;
    return (
      run.age > (limits.age ?? Number.POSITIVE_INFINITY) ||
      index >= (limits.count ?? Number.POSITIVE_INFINITY) ||
      bytes > (limits.size ?? Number.POSITIVE_INFINITY)
    );
  });
}

async function readRuns(folder: string, now: number): Promise<readonly KeptRun[]> {
  const read: KeptRun[] = [];
  for (const id of listRunIds(folder)) {
    const path = runPath(folder, id);
    const { started_at } = await readRunLine(id, path);
    const isRunning = lockState(path) === 'running';
    read.push({ id, path, age: now - Date.parse(started_at), size: runSize(path), isRunning });
  }
  return read;
}

function readLimits({ olderThanMs: age, maxBytes: size, keep: count }: GcSettings): RunLimits {
  if (age === undefined && size === undefined && count === undefined) {
    throw new ProjectFailure('what may stay? Give --older-than, --keep or --max-size', {
      help: 'For instance: flow gc --older-than 30d --max-size 2GB',
    });
  }
  return {
    ...(age === undefined ? {} : { age }),
    ...(size === undefined ? {} : { size }),
    ...(count === undefined ? {} : { count }),
  };
}
