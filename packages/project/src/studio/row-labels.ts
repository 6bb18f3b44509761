import { resolve } from 'node:path';
import { shownPath } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { type KeptLabel, labelPath, readLabels } from '../labels/label-file.ts';
import { readServedLabels, servedLabelsFile } from '../serving/served-labels.ts';
import { type FoundEvaluation, fileStamp } from './evaluations.ts';
import type { HeldRun } from './held-run.ts';
import type { LabelledRows } from './labelled-rows.ts';

type Judgement = NonNullable<KeptLabel['judgement']>;

/** What people say of the rows of a run: by the name of what was judged, then by `line/repeat`. */
export type RunLabels = ReadonlyMap<string, ReadonlyMap<string, Judgement>>;

export interface FoundLabels {
  readonly labels: RunLabels;
  /** Why some that are kept are not among them. */
  readonly problem?: string;
}

const maxHeld = 8;

/** Labels of runs: those beside the data of their evaluations, and those that callers put beside rows of a server. */
export class RowLabels {
  private readonly host: ProjectHost;
  private readonly rows: LabelledRows;
  private readonly held = new Map<string, Promise<FoundLabels>>();

  constructor(host: ProjectHost, rows: LabelledRows) {
    this.host = host;
    this.rows = rows;
  }

  /**
   * The same object as long as files and record stay as they are.
   *
   * @param evaluations those of the run's flow
   */
  async of(run: HeldRun, evaluations: readonly FoundEvaluation[]): Promise<FoundLabels> {
    const own = evaluations.filter(({ data, spec }) => spec !== undefined && data === run.reader.info.data?.path);
    const files = [...own.map((one) => this.fileOf(one)), servedLabelsFile(this.host)].map(fileStamp);
    if (files.every((stamp) => stamp === '')) return noLabels;
    const key = [run.path, await run.stamp(), ...own.map(({ path }) => path), ...files].join('\n');
    const known = this.held.get(key);
    if (known !== undefined) return await known;
    const found = this.read(run, own);
    this.held.set(key, found);
    found.catch(() => this.held.delete(key));
    for (const old of [...this.held.keys()].slice(0, -maxHeld)) this.held.delete(old);
    return await found;
  }

  private fileOf({ data = '' }: FoundEvaluation): string {
    return labelPath(resolve(this.host.folder, data));
  }

  private async read(run: HeldRun, evaluations: readonly FoundEvaluation[]): Promise<FoundLabels> {
    const labels = new Map<string, ReadonlyMap<string, Judgement>>();
    try {
      for (const [name, ofRows] of readServedLabels(run.id, this.host)) labels.set(name, ofRows);
      for (const evaluation of evaluations)
        for (const [name, ofRows] of await this.kept(run, evaluation)) labels.set(name, ofRows);
      return { labels };
    } catch (error) {
      if (!(error instanceof ProjectFailure)) throw error;
      return { labels, problem: error.message };
    }
  }

  private async kept(run: HeldRun, evaluation: FoundEvaluation): Promise<RunLabels> {
    const file = this.fileOf(evaluation);
    const kept = readLabels(file, shownPath(file, this.host.folder));
    const named = new Set([...kept.values()].map(({ metric }) => metric));
    const metrics = (evaluation.spec?.metrics ?? []).filter(({ name }) => named.has(name));
    const found = new Map<string, ReadonlyMap<string, Judgement>>();
    for (const metric of metrics) {
      const judged = (await this.rows.of(run, metric)).flatMap(({ line, repeat, keyText }) => {
        const judgement = kept.get(keyText)?.judgement;
        return judgement === undefined ? [] : [[`${line}/${repeat}`, judgement] as const];
      });
      if (judged.length > 0) found.set(metric.name, new Map(judged));
    }
    return found;
  }
}

const noLabels: FoundLabels = { labels: new Map() };
