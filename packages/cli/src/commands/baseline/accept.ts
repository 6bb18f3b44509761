import { acceptBaseline as writeBaseline } from '@unroll/project';
import { evaluateNamed } from '../../eval/evaluate-named.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { AcceptSettings } from '../../options/eval-options.ts';
import { hostOf } from '../../project-host.ts';

/** `flow baseline accept`: writes what an evaluation came to as the file later ones are held to. */
export async function acceptBaseline(settings: AcceptSettings, io: Io): Promise<number> {
  const evaluated = await evaluateNamed(settings, io, { isCompared: false });
  if (typeof evaluated === 'number') return evaluated;
  await using _evaluated = evaluated;
  const { result } = evaluated;
  const { path, isReplaced } = await writeBaseline(evaluated, settings.baseline, hostOf(settings, io));
  const metrics = `${result.metrics.length} metrics of ${result.rows.total} rows of run ${result.run.id}`;
  io.stdout.write(`${path} ${isReplaced ? 'replaced' : 'written'}: ${metrics}\n`);
  io.stdout.write('Put it under version control: a diff of it shows what is accepted.\n');
  return exitCode.done;
}
