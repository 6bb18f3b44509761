import { setTimeout } from 'node:timers/promises';
import { ProjectFailure } from '../host/project-failure.ts';
import type { RunLine, Sentence } from '../studio-contract/contract.ts';
import { chosenEvaluation } from './chosen-evaluation.ts';
import type { Evaluations } from './evaluations.ts';
import type { HeldRuns } from './held-run.ts';
import { gateSentences } from './run-verdict.ts';
import type { RunWatch } from './run-watch.ts';

/** Of the newest runs of the list, and of those that are not too large, the gates are looked at. */
const mostRuns = 20;
const mostRows = 2000;
/** How long a list waits for gates; then it comes without, and it is told when they are known. */
const patienceMs = 400;

/** What the gates of evaluations say of the runs of a list: worked out one run after the other, once, and never by asking a model. */
export class RunGates {
  private readonly evaluations: Evaluations;
  private readonly held: HeldRuns;
  private readonly watched: RunWatch;
  private readonly known = new Map<string, readonly Sentence[]>();
  private last: Promise<void> = Promise.resolve();
  private readonly begun = new Set<string>();

  constructor(evaluations: Evaluations, held: HeldRuns, watched: RunWatch) {
    this.evaluations = evaluations;
    this.held = held;
    this.watched = watched;
  }

  /**
   * The same runs; of those whose gates fail that comes first, and they need a look.
   *
   * @param waits until all are known
   */
  async of(runs: readonly RunLine[], waits = false): Promise<readonly RunLine[]> {
    const looked = runs.filter(hasGates).slice(0, mostRuns);
    const unknown = looked.filter((run) => !this.known.has(keyOf(run)));
    for (const run of unknown) this.begin(run);
    if (waits) await this.last;
    const [first] = waits ? [] : unknown;
    if (first !== undefined && (await this.isLate())) {
      void this.last.then(() => this.watched.tell({ type: 'ready', run: first.id }));
    }
    return runs.map((run) => withGates(run, this.known.get(keyOf(run)) ?? []));
  }

  private begin(run: RunLine): void {
    const key = keyOf(run);
    if (this.begun.has(key)) return;
    this.begun.add(key);
    this.last = this.last.then(async () => {
      this.known.set(key, await this.sentences(run.id));
    });
  }

  private async isLate(): Promise<boolean> {
    const over = new AbortController();
    const late = setTimeout(patienceMs, true, { signal: over.signal }).catch(() => true);
    return await Promise.race([this.last.then(() => false), late]).finally(() => over.abort());
  }

  /** None where there is no evaluation that can tell. */
  private async sentences(id: string): Promise<readonly Sentence[]> {
    const { held, evaluations } = this;
    try {
      const run = await held.open(id);
      const evaluation = chosenEvaluation(undefined, await evaluations.ofRun(run.reader.info), run);
      if (evaluation === undefined) return [];
      return gateSentences((await evaluations.score(evaluation, run.path)).result);
    } catch (error) {
      // It was removed meanwhile, or its record is damaged: its page says so.
      if (error instanceof ProjectFailure || (error instanceof Error && 'code' in error)) return [];
      throw error;
    }
  }
}

function hasGates({ status, rows }: RunLine): boolean {
  const size = rows.value ?? 0;
  return (status === 'Completed' || status === 'Failed') && size > 0 && size <= mostRows;
}

function keyOf({ id, startedAt, status, rows, failed }: RunLine): string {
  return [id, startedAt, status, rows.value, failed.value].join(' ');
}

function withGates(run: RunLine, gates: readonly Sentence[]): RunLine {
  if (gates.length === 0) return run;
  const fails = gates.some(({ rule }) => rule === 'gates');
  return { ...run, outcome: [...gates, ...run.outcome], needsLook: run.needsLook || fails };
}
