import { countOf, formatCount } from '@unroll/project/words';
import { evaluateNamed } from '../../eval/evaluate-named.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { AcceptSettings } from '../../options/eval-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow baseline accept`: writes what an evaluation came to as the file later ones are held to. */
export async function acceptBaseline(settings: AcceptSettings, io: Io): Promise<number> {
  const { evaluation } = settings;
  const accepted = await evaluateNamed(settings, io, (project, asked) => project.acceptBaseline(evaluation, asked));
  if (typeof accepted === 'number') return accepted;
  const { path, isReplaced, result } = accepted;
  const { total, planned } = result.rows;
  if (planned !== undefined) {
    io.stderr.write(
      `warning: only ${formatCount(total)} of ${countOf(planned, 'row')} were run, and later runs are held to those\n`,
    );
  }
  if (settings.json) {
    const about = { run_id: result.run.id, rows: total, metrics: result.metrics.length };
    io.stdout.write(stringifyJsonLine({ baseline: path, replaced: isReplaced, ...about }));
    return exitCode.done;
  }
  const metrics = `${countOf(result.metrics.length, 'metric')} of ${countOf(total, 'row')} of run ${result.run.id}`;
  io.stdout.write(`${path} ${isReplaced ? 'replaced' : 'written'}: ${metrics}\n`);
  io.stdout.write('Put it under version control: a diff of it shows what is accepted.\n');
  return exitCode.done;
}
