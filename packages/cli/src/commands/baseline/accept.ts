import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { baselineOf, printBaseline } from '@unroll/evals';
import { CommandFailure } from '../../command-failure.ts';
import type { CommandCall } from '../../command-spec.ts';
import { baselinePath } from '../../eval/baseline-file.ts';
import { evaluateFile } from '../../eval/evaluate-file.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import { openRecord } from '../../runs/open-record.ts';
import { shownPath } from '../../text/shown-path.ts';

/** `flow baseline accept`: writes what an evaluation came to as the file later ones are held to. */
export async function acceptBaseline(call: CommandCall): Promise<number> {
  const { io } = call;
  const evaluated = await evaluateFile(call, { isCompared: false });
  if (typeof evaluated === 'number') return evaluated;
  await using _evaluated = evaluated;
  const { result, found } = evaluated;
  await refuseGiven(evaluated.run, io);
  const path = baselinePath(found, call);
  const shown = shownPath(path, io.folder);
  const text = printBaseline(baselineOf(result));
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandFailure(`${shown} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  const metrics = `${result.metrics.length} metrics of ${result.rows.total} rows of run ${result.run.id}`;
  io.stdout.write(`${shown} ${before === undefined ? 'written' : 'replaced'}: ${metrics}\n`);
  io.stdout.write('Put it under version control: a diff of it shows what is accepted.\n');
  return exitCode.done;
}

/** @throws CommandFailure where outputs of nodes were given to the run: nothing it scored is the flow's own */
async function refuseGiven(run: string, io: Io): Promise<void> {
  await using store = openRecord(run, io);
  const { id, options } = store.info;
  if (options?.['oracle'] === undefined) return;
  throw new CommandFailure(`run ${id} was given outputs of its nodes: it is no baseline`, {
    help: 'Accept a run of the flow as it is.',
  });
}
