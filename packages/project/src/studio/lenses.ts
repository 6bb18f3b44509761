import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { chosenEvaluation } from './chosen-evaluation.ts';
import type { Evaluations, FoundEvaluation, ScoredRecord } from './evaluations.ts';
import type { HeldRun, HeldRuns } from './held-run.ts';
import type { LabelledRows } from './labelled-rows.ts';
import type { Lens, Seen } from './lens.ts';
import type { Patience } from './patience.ts';
import { RowLabels, type RunLabels } from './row-labels.ts';

export interface LookedAt {
  readonly host: ProjectHost;
  readonly evaluations: Evaluations;
  readonly held: HeldRuns;
  readonly labelled: LabelledRows;
}

/** What evaluations and people say of runs, as pages look at them. */
export class Lenses {
  private readonly studio: LookedAt;
  private readonly labels: RowLabels;
  private readonly patience: Patience;

  constructor(studio: LookedAt, patience: Patience) {
    this.studio = studio;
    this.labels = new RowLabels(studio.host, studio.labelled);
    this.patience = patience;
  }

  async of(run: HeldRun, lens: Lens): Promise<Seen> {
    const evaluations = await this.studio.evaluations.ofRun(run.reader.info, run.path);
    const chosen = chosenEvaluation(lens.evaluation, evaluations, run);
    const found = await this.patience.with(run.id, this.labels.of(run, evaluations));
    const unread = found?.problem === undefined ? {} : { problem: found.problem };
    const seen = { evaluations, labels: found?.labels ?? noLabels, ...unread };
    if (chosen === undefined) return { ...seen, isPending: found === undefined };
    try {
      const scored = await this.scored(run, chosen, lens);
      if (scored === undefined) return { ...seen, isPending: true };
      return { ...seen, scored, isPending: found === undefined };
    } catch (error) {
      if (!(error instanceof ProjectFailure)) throw error;
      const problem = error.help === undefined ? error.message : `${error.message}. ${error.help}`;
      return { ...seen, problem, isPending: found === undefined };
    }
  }

  /** What people say of the rows of a run, however long it takes to find. */
  async labelsOf(run: HeldRun): Promise<RunLabels> {
    const evaluations = await this.studio.evaluations.ofRun(run.reader.info, run.path);
    return (await this.labels.of(run, evaluations)).labels;
  }

  /** @returns undefined where it takes long */
  private async scored(run: HeldRun, chosen: FoundEvaluation, { against }: Lens): Promise<ScoredRecord | undefined> {
    const { evaluations, held } = this.studio;
    const other = against === undefined || against === 'none' ? undefined : (await held.open(against)).path;
    return await this.patience.with(run.id, evaluations.score(chosen, run.path, other));
  }
}

/** The same each time: what is made of it is kept by it. */
const noLabels: RunLabels = new Map();
