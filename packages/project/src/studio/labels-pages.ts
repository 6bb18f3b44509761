import { resolve } from 'node:path';
import { type JsonValue, shownPath } from '@unroll/engine';
import type { EvalResult, MetricSpec } from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import { judgedAnswer } from '../labels/judged-answer.ts';
import { type KeptLabel, labelPath, readLabels, writeLabel } from '../labels/label-file.ts';
import type {
  ExpectationChange,
  ExpectationChanged,
  Label,
  LabelChange,
  LabelChanged,
  LabelRow,
  LabelsPage,
} from '../studio-contract/contract.ts';
import { noSuchRun, runsOf } from './evaluation-runs.ts';
import type { FoundEvaluation } from './evaluations.ts';
import { ExpectationPages, expectationColumn } from './expectation-pages.ts';
import type { HeldRun } from './held-run.ts';
import { agreementView, disagrees, type JudgedRow, labelCounts, labelVerdict } from './label-agreement.ts';
import { requireSame, requireSameAnswer, withoutEmpty } from './label-fields.ts';
import { labelsAfter } from './label-order.ts';
import { type LabelledRow, verdictsOf } from './labelled-rows.ts';
import type { Language } from './lens.ts';
import { titleOf } from './row-page.ts';
import type { Studio } from './studio.ts';
import { valueView } from './value-view.ts';

export interface LabelsQuery {
  /** Path of an evaluation; without it the first of the folder with a run. */
  readonly evaluation?: string | undefined;
  /** Without it the first that passes or fails outputs. */
  readonly metric?: string | undefined;
  /** Without it the newest of its runs. */
  readonly run?: string | undefined;
  readonly order?: 'disagreement' | 'line' | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  /** A row that stands first. */
  readonly line?: number | undefined;
  readonly repeat?: number | undefined;
  /** English where it is not said. */
  readonly language?: Language | undefined;
}

/** Judgements of people beside those of a metric. */
export class LabelsPages {
  private readonly studio: Studio;
  private readonly expectations: ExpectationPages;

  constructor(studio: Studio) {
    this.studio = studio;
    this.expectations = new ExpectationPages(studio);
  }

  /** @throws ProjectFailure where there is nothing to label, or the file of labels has a line that is none */
  async page(query: LabelsQuery): Promise<LabelsPage> {
    const subject = await this.subject(query);
    const judged = this.judged(subject);
    const { rows: next, paging } = labelsAfter(judged, query);
    const rows = withAsked(next, judged, query);
    const { metric, evaluation, run, file } = subject;
    return {
      file: file.shown,
      run: run.id,
      runs: subject.runs,
      evaluation: evaluation.path,
      metric: metric.name,
      metrics: (evaluation.spec?.metrics ?? []).filter(isOfAnswers).map(({ name }) => name),
      ...(subject.problem === undefined ? {} : { problem: subject.problem }),
      verdict: labelVerdict(judged, metric.name, query.language),
      agreement: agreementView(judged),
      counts: labelCounts(judged),
      ...(evaluation.data === undefined ? {} : { expectation: { file: evaluation.data, column: subject.column } }),
      rows: await Promise.all(rows.map(async (row) => await rowView(row, subject))),
      paging,
    };
  }

  /** Writes a label, or takes it back, and tells how judge and people stand then. */
  async change(
    { label, line, repeat, before, answered, ...about }: LabelChange,
    language?: Language,
  ): Promise<LabelChanged> {
    const subject = await this.subject(about);
    const row = subject.rows.find((one) => one.line === line && one.repeat === repeat);
    if (row === undefined) {
      throw new ProjectFailure(`row ${line} of run ${about.run} has no answer to label`, { code: 'RowNotFound' });
    }
    requireSameAnswer(line, row.key.answer, answered);
    const inputs = (await subject.run.reader.row(line, repeat))?.inputs ?? {};
    const kept = label === null ? undefined : { about: titleOf({ inputs }) || `row ${line}`, ...withoutEmpty(label) };
    const labels = await writeLabel(subject.file, row.key, kept, (known) => requireSame(line, known, before));
    const judged = this.judged({ ...subject, labels });
    return {
      label,
      agreement: agreementView(judged),
      verdict: labelVerdict(judged, subject.metric.name, language),
      counts: labelCounts(judged),
    };
  }

  /** Shows what accepting an answer as the expected one changes in the dataset, or writes it. */
  async expect(asked: ExpectationChange): Promise<ExpectationChanged> {
    const evaluation = await this.studio.evaluations.named(asked.evaluation);
    return await this.expectations.change(asked, metricOf(evaluation, asked.metric));
  }

  private judged({ rows, verdicts, labels }: Subject): readonly JudgedRow[] {
    return rows.map((row) => ({
      row,
      passes: verdicts.get(`${row.line}/${row.repeat}`),
      label: labels.get(row.keyText),
    }));
  }

  private async subject(query: LabelsQuery): Promise<Subject> {
    const { host, held, evaluations } = this.studio;
    const evaluation = await this.evaluation(query);
    const runs = (await runsOf(evaluation, this.studio)).map(({ id }) => id);
    const id = query.run ?? runs[0];
    if (id === undefined) {
      throw new ProjectFailure(`no run of ${evaluation.path} has ended yet`, { code: 'RunNotFound' });
    }
    if (!runs.includes(id)) throw noSuchRun(id, evaluation.path);
    const run = await held.open(id);
    const metric = metricOf(evaluation, query.metric);
    const { result, problem } = await scored(evaluation, run, evaluations);
    const data = resolve(host.folder, evaluation.data ?? '');
    const path = labelPath(data);
    const column = expectationColumn(metric);
    const file = { file: path, shown: shownPath(path, host.folder) };
    return {
      ...{ evaluation, run, runs, metric, file, column },
      expected: await this.expectations.values(evaluation.data ?? '', column),
      ...(problem === undefined ? {} : { problem }),
      rows: await this.studio.labelled.of(run, metric),
      verdicts: verdictsOf(result, metric.name),
      labels: readLabels(file.file, file.shown),
    };
  }

  /** Without a name the first with a run, with the run that is asked for. */
  private async evaluation({ evaluation: path, run }: LabelsQuery): Promise<FoundEvaluation> {
    if (path !== undefined) return await this.studio.evaluations.named(path);
    for (const one of await this.studio.evaluations.list()) {
      if (!(one.spec?.metrics ?? []).some(isOfAnswers)) continue;
      if ((await runsOf(one, this.studio)).some(({ id }) => run === undefined || id === run)) return one;
    }
    throw new ProjectFailure('there is no evaluation with a run to label', {
      code: 'NothingToLabel',
      help: 'An eval.yaml names the flow and its data; flow eval makes a run of it.',
    });
  }
}

interface Subject {
  readonly evaluation: FoundEvaluation;
  readonly run: HeldRun;
  readonly runs: readonly string[];
  readonly metric: MetricSpec;
  readonly file: { readonly file: string; readonly shown: string };
  /** Of the dataset, where what is expected stands. */
  readonly column: string;
  /** By line. */
  readonly expected: ReadonlyMap<number, JsonValue>;
  /** Why the metric says nothing. */
  readonly problem?: string;
  readonly rows: readonly LabelledRow[];
  readonly verdicts: ReturnType<typeof verdictsOf>;
  readonly labels: ReadonlyMap<string, KeptLabel>;
}

/** No model is asked for it: where one would have to be, people label without a judge beside them. */
async function scored(
  evaluation: FoundEvaluation,
  run: HeldRun,
  evaluations: Studio['evaluations'],
): Promise<{ readonly result?: EvalResult; readonly problem?: string }> {
  try {
    return { result: (await evaluations.score(evaluation, run.path)).result };
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return { problem: error.message };
  }
}

/** People judge what the flow answered, not how long it took. */
function isOfAnswers({ evaluator, on }: MetricSpec): boolean {
  return evaluator.measures === 'value' && on?.of === 'outputs';
}

function metricOf({ spec, path }: FoundEvaluation, name: string | undefined): MetricSpec {
  const metrics = (spec?.metrics ?? []).filter(isOfAnswers);
  const found = name === undefined ? metrics[0] : metrics.find((metric) => metric.name === name);
  if (found !== undefined) return found;
  const known = metrics.map((metric) => metric.name).join(', ');
  const message =
    name === undefined
      ? `${path} has no metric of outputs that people could judge`
      : `${path} has no metric ${name} that people could judge`;
  throw new ProjectFailure(message, {
    code: 'MetricNotFound',
    ...(known === '' ? {} : { help: `Those of outputs: ${known}` }),
  });
}

async function rowView(judged: JudgedRow, { run, metric, expected }: Subject): Promise<LabelRow> {
  const { line, repeat } = judged.row;
  const row = await run.reader.row(line, repeat);
  const { label, passes } = judged;
  const expectation = expected.get(line);
  return {
    ...{ line, repeat, title: titleOf({ inputs: row?.inputs ?? {} }) },
    answer: valueView(judgedAnswer(row?.outputs ?? {}, metric)),
    answered: judged.row.key.answer,
    ...(passes === undefined ? {} : { judge: { passed: passes, evaluator: metric.evaluator.name } }),
    ...(label === undefined ? {} : { label: labelView(label) }),
    ...(expectation === undefined ? {} : { expectation: valueView(expectation) }),
    disagrees: disagrees(judged),
  };
}

function labelView({ judgement, score, note, expected }: KeptLabel): Label {
  return withoutEmpty({ judgement, score, note, expected });
}

/** In the first page alone: whoever reads on has it. */
function withAsked(
  rows: readonly JudgedRow[],
  all: readonly JudgedRow[],
  { line, repeat = 0, cursor }: LabelsQuery,
): readonly JudgedRow[] {
  const asked = all.find(({ row }) => row.line === line && row.repeat === repeat);
  return asked === undefined || cursor !== undefined ? rows : [asked, ...rows.filter((one) => one !== asked)];
}
