import { type KeptRun, ProjectFailure, projectOn, type RunLimits } from '@unroll/project';
import { formatAge, formatSize } from '@unroll/project/words';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { GcSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { styleOf } from '../text/style.ts';
import { table } from '../text/table.ts';

/** `flow gc`: removes records that are too old, too many or too much; without `--yes` it only says which. */
export async function gc(settings: GcSettings, io: Io): Promise<number> {
  const limits = readLimits(settings);
  const catalog = projectOn(hostOf(settings, io)).runs;
  const kept = await catalog.kept();
  const leaving = await catalog.surplus(limits);
  if (settings.json) {
    const runs = leaving.map(({ id, ageMs, bytes }) => ({ id, age_ms: ageMs, bytes }));
    if (settings.yes) for (const { path } of leaving) await catalog.remove(path);
    io.stdout.write(stringifyJsonLine({ kept: kept.length - leaving.length, removed: settings.yes, runs }));
    return exitCode.done;
  }
  if (leaving.length === 0) {
    io.stdout.write(`nothing to remove: ${kept.length} runs, ${sizeOf(kept)}\n`);
    return exitCode.done;
  }
  const style = styleOf(io.stdout, io, settings.color);
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
  for (const { path } of leaving) await catalog.remove(path);
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
