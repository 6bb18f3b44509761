import { chooseRuns } from '../diff/choose-runs.ts';
import { recordedSince } from '../explain/explain-row.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { runIdOf } from '../records/record-place.ts';
import type { ScoredRecord } from './evaluations.ts';
import type { HeldRun, HeldRuns } from './held-run.ts';
import type { Lens } from './lens.ts';

/** The run asked for, else that of the baseline, else the one before it over the same data. */
export async function againstRun(
  run: HeldRun,
  { against }: Lens,
  scored: ScoredRecord | undefined,
  { held, host }: { readonly held: HeldRuns; readonly host: ProjectHost },
): Promise<HeldRun | undefined> {
  if (against === 'none') return undefined;
  if (against !== undefined) return await held.open(against);
  const named = [scored?.against, recordedSince(run.reader)].filter((id) => id !== run.id);
  for (const id of named) {
    const found = await openOrNone(id, held);
    if (found !== undefined) return found;
  }
  const before = await chooseRuns([undefined, run.id], host).catch(() => undefined);
  return before === undefined ? undefined : await openOrNone(runIdOf(before.before), held);
}

/** A run that was named long ago may be gone, or damaged. */
export async function openOrNone(id: string | undefined, held: HeldRuns): Promise<HeldRun | undefined> {
  return id === undefined ? undefined : await held.open(id).catch(() => undefined);
}
