import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { baselineOf, stringifyBaseline } from '@unroll/evals';
import { baselinePath, openRecord, ProjectFailure, type ProjectHost, shownPath } from '@unroll/project';
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
  const { result, found } = evaluated;
  await refuseGiven(evaluated.run, hostOf(settings, io));
  const path = baselinePath(found, settings.baseline, io);
  const shown = shownPath(path, io.folder);
  const text = stringifyBaseline(baselineOf(result));
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new ProjectFailure(`${shown} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  const metrics = `${result.metrics.length} metrics of ${result.rows.total} rows of run ${result.run.id}`;
  io.stdout.write(`${shown} ${before === undefined ? 'written' : 'replaced'}: ${metrics}\n`);
  io.stdout.write('Put it under version control: a diff of it shows what is accepted.\n');
  return exitCode.done;
}

/** @throws ProjectFailure where outputs of nodes were given to the run: nothing it scored is the flow's own */
async function refuseGiven(run: string, host: ProjectHost): Promise<void> {
  await using store = openRecord(run, host);
  const { id, options } = store.info;
  if (options?.['oracle'] === undefined) return;
  throw new ProjectFailure(`run ${id} was given outputs of its nodes: it is no baseline`, {
    help: 'Accept a run of the flow as it is.',
  });
}
