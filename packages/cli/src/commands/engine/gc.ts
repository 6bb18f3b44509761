import { ProjectFailure } from '@unroll/project';
import { formatAge, formatSize } from '@unroll/project/words';
import { withEngine } from '../../engine/with-engine.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { EngineGcSettings } from '../../options/engine-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { styleOf } from '../../text/style.ts';
import { table } from '../../text/table.ts';

/** `flow engine gc`: removes runs that have been over for long; without `--yes` it only says which. */
export async function gc(settings: EngineGcSettings, io: Io): Promise<number> {
  const { address, olderThanMs, yes, json } = settings;
  if (olderThanMs === undefined) {
    throw new ProjectFailure('what may stay? Give --older-than', {
      help: 'For instance: flow engine gc --older-than 30d',
    });
  }
  return await withEngine({ engine: address }, io, 'engine gc', async (queue, database) => {
    const leaving = await queue.runsOverFor(olderThanMs, database);
    if (yes)
      await queue.removeStoredRuns(
        leaving.map(({ id }) => id),
        database,
      );
    if (json) {
      const runs = leaving.map(({ id, ageMs, bytes }) => ({ id, age_ms: Math.round(ageMs), bytes }));
      io.stdout.write(stringifyJsonLine({ removed: yes, runs }));
    } else if (leaving.length === 0) io.stdout.write('nothing to remove\n');
    else {
      const style = styleOf(io.stdout, io, settings.color);
      const titles = [{ title: 'run' }, { title: 'over for', isNumber: true }, { title: 'size', isNumber: true }];
      const cells = leaving.map(({ id, ageMs, bytes }) => [
        { text: id },
        { text: formatAge(ageMs) },
        { text: formatSize(bytes) },
      ]);
      io.stdout.write(table(titles, cells, style.dim));
      const what = `${leaving.length} runs, ${formatSize(leaving.reduce((sum, { bytes }) => sum + bytes, 0))}`;
      io.stdout.write(yes ? `\nremoved ${what}\n` : `\n${what}, would be removed; --yes removes them\n`);
    }
    return exitCode.done;
  });
}
