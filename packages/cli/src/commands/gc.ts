import { type KeptRun, keptRuns, ProjectFailure, type RunLimits, removeRun, surplusRuns } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { GcSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { formatAge, formatSize } from '../text/format-amounts.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { table } from '../text/table.ts';

/** `flow gc`: removes records that are too old, too many or too much; without `--yes` it only says which. */
export async function gc(settings: GcSettings, io: Io): Promise<number> {
  const limits = readLimits(settings);
  const kept = await keptRuns(hostOf(settings, io));
  const leaving = surplusRuns(kept, limits);
  if (leaving.length === 0) {
    io.stdout.write(`nothing to remove: ${kept.length} runs, ${sizeOf(kept)}\n`);
    return exitCode.done;
  }
  const style = createStyle(usesColor(io.stdout, io, settings.color));
  const titles = [{ title: 'run' }, { title: 'age', isNumber: true }, { title: 'size', isNumber: true }];
  const cells = leaving.map(({ id, ageMs, bytes }) => [
    { text: id },
    { text: formatAge(ageMs) },
    { text: formatSize(bytes) },
  ]);
  io.stdout.write(table(titles, cells, style.dim));
  const what = `${leaving.length} of ${kept.length} runs, ${sizeOf(leaving)}`;
  if (!settings.yes) {
    io.stdout.write(`\n${what}, would be removed; --yes removes them\n`);
    return exitCode.done;
  }
  for (const { id, path } of leaving) removeRun(path, id);
  io.stdout.write(`\nremoved ${what}\n`);
  return exitCode.done;
}

function sizeOf(runs: readonly KeptRun[]): string {
  return formatSize(runs.reduce((sum, run) => sum + run.bytes, 0));
}

function readLimits({ olderThanMs: ageMs, maxBytes: bytes, keep: count }: GcSettings): RunLimits {
  if (ageMs !== undefined || bytes !== undefined || count !== undefined) return { ageMs, bytes, count };
  throw new ProjectFailure('what may stay? Give --older-than, --keep or --max-size', {
    help: 'For instance: flow gc --older-than 30d --max-size 2GB',
  });
}
