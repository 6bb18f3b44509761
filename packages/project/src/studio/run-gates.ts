import { setTimeout } from 'node:timers/promises';
import type { EvalResult } from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import type { RunLine, Sentence } from '../studio-contract/contract.ts';
import { chosenEvaluation } from './chosen-evaluation.ts';
import type { Evaluations } from './evaluations.ts';
import type { HeldRuns } from './held-run.ts';
import type { Language } from './lens.ts';
import { gateSentences } from './run-verdict.ts';
import type { RunWatch } from './run-watch.ts';

/** Of the newest runs of the list, and of those that are not too large, the gates are looked at. */
const maxRuns = 20;
const maxRows = 2000;
/** How long a list waits for gates; then it comes without, and it is told when they are known. */
const patienceMs = 400;

interface GatesAsked {
  readonly waits?: boolean | undefined;
  readonly language?: Language | undefined;
}

/** What the gates of evaluations say of the runs of a list: worked out one run after the other, once, and never by asking a model. */
export class RunGates {
  private readonly evaluations: Evaluations;
  private readonly held: HeldRuns;
  private readonly watched: RunWatch;
  private readonly known = new Map<string, EvalResult | undefined>();
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
   * Those of a list that waits are all known.
   */
  async of(runs: readonly RunLine[], { waits = false, language = 'en' }: GatesAsked = {}): Promise<readonly RunLine[]> {
    const looked = runs.filter(hasGates).slice(0, maxRuns);
    const unknown = looked.filter((run) => !this.known.has(keyOf(run)));
    for (const run of unknown) this.begin(run);
    if (waits) await this.last;
    const [first] = waits ? [] : unknown;
    if (first !== undefined && (await this.isLate())) {
      void this.last.then(() => this.watched.tell({ type: 'ready', run: first.id }));
    }
    return runs.map((run) => withGates(run, gateSentences(this.known.get(keyOf(run)), language)));
  }

  private begin(run: RunLine): void {
    const key = keyOf(run);
    if (this.begun.has(key)) return;
    this.begun.add(key);
    this.last = this.last.then(async () => {
      this.known.set(key, await this.resultOf(run.id));
    });
  }

  private async isLate(): Promise<boolean> {
    const over = new AbortController();
    const late = setTimeout(patienceMs, true, { signal: over.signal }).catch(() => true);
    return await Promise.race([this.last.then(() => false), late]).finally(() => over.abort());
  }

  /** None where there is no evaluation that can tell. */
  private async resultOf(id: string): Promise<EvalResult | undefined> {
    const { held, evaluations } = this;
    try {
      const run = await held.open(id);
      const evaluation = chosenEvaluation(undefined, await evaluations.ofRun(run.reader.info, run.path), run);
      if (evaluation === undefined) return undefined;
      return (await evaluations.score(evaluation, run.path)).result;
    } catch (error) {
      // It was removed meanwhile, or its record is damaged: its page says so.
      if (error instanceof ProjectFailure || (error instanceof Error && 'code' in error)) return undefined;
      throw error;
    }
  }
}

function hasGates({ status, rows }: RunLine): boolean {
  const size = rows.value ?? 0;
  return (status === 'Completed' || status === 'Failed') && size > 0 && size <= maxRows;
}

function keyOf({ id, startedAt, status, rows, failed }: RunLine): string {
  return [id, startedAt, status, rows.value, failed.value].join(' ');
}

function withGates(run: RunLine, gates: readonly Sentence[]): RunLine {
  if (gates.length === 0) return run;
  const fails = gates.some(({ rule }) => rule === 'gates');
  return { ...run, outcome: [...gates, ...run.outcome], needsLook: run.needsLook || fails };
}
