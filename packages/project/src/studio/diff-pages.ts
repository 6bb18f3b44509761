import { chooseRuns } from '../diff/choose-runs.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { runIdOf } from '../records/record-place.ts';
import type { DiffOptions, DiffPage, DiffRow, DiffRows } from '../studio-contract/contract.ts';
import { DiffGroups, type ScoredSides } from './diff-groups.ts';
import { diffPage } from './diff-page.ts';
import { type DiffRowQuery, type DiffRowsQuery, diffRow, diffRows } from './diff-rows.ts';
import type { FoundEvaluation } from './evaluations.ts';
import type { HeldDiff } from './held-diffs.ts';
import type { HeldRun } from './held-run.ts';
import type { Language } from './lens.ts';
import { readRunFacts, runLine } from './run-line.ts';
import type { Studio } from './studio.ts';
import { unscoredProblem } from './unscored-problem.ts';

export interface DiffQuery extends Partial<DiffOptions> {
  /** Without it, the run before of the same flow over the same data. */
  readonly left?: string | undefined;
  /** Without it, the newest. */
  readonly right?: string | undefined;
  /** Its path; without it, one of the flow's that needs no model. */
  readonly evaluation?: string | undefined;
  readonly language?: Language | undefined;
}

/** What two runs differ in, as pages ask for it. */
export class DiffPages {
  private readonly studio: Studio;

  constructor(studio: Studio) {
    this.studio = studio;
  }

  /** @throws ProjectFailure where there is no such run, or none before it */
  async page(query: DiffQuery): Promise<DiffPage> {
    const sides = await this.sides(query);
    const { language = 'en' } = query;
    const { scored, told } = await this.scored(sides, query.evaluation, language);
    const [left, right] = await Promise.all(
      [sides.left, sides.right].map(async ({ id, path }) => {
        const { host } = this.studio;
        return { ...runLine(await readRunFacts(path, host), host.now()), id };
      }),
    );
    if (left === undefined || right === undefined) throw new Error('bug: a run that is compared has no line');
    const groups = new DiffGroups(sides.compared, scored);
    return await diffPage({ ...sides, lines: { left, right }, groups, scored, evaluations: told, language });
  }

  async rows(query: DiffQuery & DiffRowsQuery): Promise<DiffRows> {
    const sides = await this.sides(query);
    const { scored } = await this.scored(sides, query.evaluation);
    return await diffRows(sides, new DiffGroups(sides.compared, scored), query);
  }

  async row(query: DiffQuery & DiffRowQuery): Promise<DiffRow> {
    return await diffRow(await this.sides(query), query);
  }

  private async sides({ left, right, key, rename, turns }: DiffQuery): Promise<Sides> {
    const ids = left === undefined || right === undefined ? await this.chosen([left, right]) : { left, right };
    const [before, after] = [await this.studio.held.open(ids.left), await this.studio.held.open(ids.right)];
    const options = {
      ...(key === undefined ? {} : { key }),
      ...(rename === undefined || rename.length === 0 ? {} : { rename }),
      ...(turns === undefined ? {} : { turns }),
    };
    return { left: before, right: after, compared: await this.studio.diffs.of(before, after, options) };
  }

  /** Only ids come from outside: `chooseRuns` would take paths as well. */
  private async chosen(names: readonly (string | undefined)[]): Promise<{ left: string; right: string }> {
    for (const id of names) if (id !== undefined) await this.studio.held.open(id);
    const { before, after } = await chooseRuns(names, this.studio.host);
    return { left: runIdOf(before), right: runIdOf(after) };
  }

  private async scored(
    { left, right }: Sides,
    asked: string | undefined,
    language: Language = 'en',
  ): Promise<{ readonly scored?: ScoredSides; readonly told: DiffEvaluation }> {
    const all = await this.studio.evaluations.ofRun(right.reader.info, right.path);
    const evaluations = all.map(({ path }) => path);
    const chosen = asked === undefined ? preferred(all, right) : await this.studio.evaluations.named(asked);
    if (chosen === undefined) return { told: { evaluations } };
    try {
      const { result, before } = await this.studio.evaluations.score(chosen, right.path, left.path);
      if (before === undefined || !('rows' in before)) return { told: { evaluations } };
      return { scored: { left: before, right: result }, told: { evaluations, evaluation: chosen.path } };
    } catch (error) {
      if (!(error instanceof ProjectFailure)) throw error;
      return {
        told: { evaluations, evaluation: chosen.path, evaluationProblem: unscoredProblem(error, chosen, language) },
      };
    }
  }
}

interface Sides {
  readonly left: HeldRun;
  readonly right: HeldRun;
  readonly compared: HeldDiff;
}

type DiffEvaluation = Pick<DiffPage, 'evaluation' | 'evaluations' | 'evaluationProblem'>;

/** Over the data of the run rather than over other data, and without models rather than with. */
function preferred(all: readonly FoundEvaluation[], { reader }: HeldRun): FoundEvaluation | undefined {
  const rank = ({ asked, data, spec }: FoundEvaluation): number =>
    (spec === undefined ? 4 : 0) + (asked.length > 0 ? 2 : 0) + (data === reader.info.data?.path ? 0 : 1);
  return all.toSorted((one, other) => rank(one) - rank(other))[0];
}
