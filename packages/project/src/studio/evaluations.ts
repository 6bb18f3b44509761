import { globSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { locateFlow, type RunInfo, shownPath } from '@unroll/engine';
import type { Baseline, EvalResult, EvalSpec } from '@unroll/evals';
import { compose } from '../connections/compose.ts';
import { baselinePath, openBaseline } from '../evaluation/baseline-file.ts';
import { evaluateFile } from '../evaluation/evaluate-file.ts';
import { EvaluationNotReady } from '../evaluation/evaluation-failures.ts';
import { fileEvaluators } from '../evaluation/file-evaluators.ts';
import { evalName, findEval } from '../evaluation/find-eval.ts';
import { openEval } from '../evaluation/open-eval.ts';
import type { ScoredEvaluation } from '../evaluation/scored-evaluation.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { type ProjectHost, withNotices } from '../host/project-host.ts';
import { labelPath } from '../labels/label-file.ts';
import { bulkSettingsOf } from '../library/settings.ts';
import { stampOf } from '../records/open-record.ts';
import { evaluationWords } from './evaluation-words.ts';

/** An eval.yaml of the folder. */
export interface FoundEvaluation {
  /** As a person would type it; what it is asked for by. */
  readonly path: string;
  readonly name: string;
  /** Absolute; absent where it names none that is there. */
  readonly flowFile?: string;
  readonly flow?: string;
  readonly data?: string;
  readonly spec?: EvalSpec;
  readonly baseline?: Baseline;
  /** Metrics that ask a model. */
  readonly asked: readonly string[];
  readonly mistakes: readonly string[];
}

/** A run that was scored. */
export interface ScoredRecord {
  readonly result: EvalResult;
  readonly evaluation: FoundEvaluation;
  /** What it was compared with. */
  readonly before?: EvalResult | Baseline;
  /** Id of that run. */
  readonly against?: string;
}

/** A page waits for it. */
const loadingSeconds = 60;

/** What is scored once holds as long as records and files stay as they are. */
const maxScored = 60;

/** The evaluations of a folder, and what they say of its runs. */
export class Evaluations {
  private readonly host: ProjectHost;
  private readonly found = new Map<string, { readonly stamp: string; readonly evaluation: Promise<FoundEvaluation> }>();
  private readonly scored = new Map<string, Promise<ScoredRecord>>();

  private readonly given: ScoredEvaluation | undefined;
  private readonly givenRecords = new Map<string, ScoredRecord>();

  /** @param given the only one there is, where what it came to is known */
  constructor(host: ProjectHost, given?: ScoredEvaluation) {
    this.given = given;
    // What is doubtful in a file is told where the evaluation is run; here it would be told again with every look.
    this.host = withNotices(host, (notice) => notice.kind === 'damage');
  }

  async list(): Promise<readonly FoundEvaluation[]> {
    if (this.given !== undefined) return [givenEvaluation(this.given)];
    const files = globSync('**/{eval.yaml,*.eval.yaml}', {
      cwd: this.host.folder,
      exclude: (path) => /(^|[\\/])(node_modules|\.[^\\/.][^\\/]*)$/.test(String(path)),
    });
    return await Promise.all(files.sort().map((file) => this.find(file)));
  }

  /** @throws ProjectFailure where there is none of that name */
  async named(path: string): Promise<FoundEvaluation> {
    const found = (await this.list()).find((one) => one.path === path);
    if (found !== undefined) return found;
    throw new ProjectFailure(`there is no evaluation ${path}`, { code: 'EvalNotFound' });
  }

  /** Those of the flow that a run was of. */
  async ofRun(
    { flowPath, flowName }: Pick<RunInfo, 'flowPath' | 'flowName'>,
    record: string,
  ): Promise<readonly FoundEvaluation[]> {
    if (this.given !== undefined) return givenScores(this.given, record) === undefined ? [] : await this.list();
    const located = locateFlow(resolve(this.host.folder, flowPath));
    const all = await this.list();
    const same = all.filter(({ flowFile }) => located.ok && flowFile === located.file);
    return same.length > 0 || located.ok ? same : all.filter(({ spec }) => spec?.name === flowName);
  }

  /**
   * What an evaluation says of a run, compared with another one, else with its baseline.
   *
   * @throws ProjectFailure where it cannot be scored without asking a model, or has mistakes
   */
  async score(evaluation: FoundEvaluation, record: string, against?: string): Promise<ScoredRecord> {
    const given = this.givenScores(evaluation, record);
    if (given !== undefined) return given;
    if (evaluation.asked.length > 0) throw asksModels(evaluation);
    const places = [record, ...(against === undefined ? [] : [against])];
    const stamps = await Promise.all(places.map(async (place) => `${place} ${await stampOf(place, this.host)}`));
    const key = [evaluation.path, evaluationStamp(evaluation, this.host), ...stamps].join('\n');
    const known = this.scored.get(key);
    if (known !== undefined) return await known;
    const scored = this.scoreNow(evaluation, record, against);
    this.scored.set(key, scored);
    scored.catch(() => this.scored.delete(key));
    for (const old of [...this.scored.keys()].slice(0, -maxScored)) this.scored.delete(old);
    return await scored;
  }

  /** The same for the same record each time: what is made of it is kept by it. */
  private givenScores(evaluation: FoundEvaluation, record: string): ScoredRecord | undefined {
    const known = this.givenRecords.get(record);
    const scores = known === undefined && this.given !== undefined ? givenScores(this.given, record) : undefined;
    if (scores === undefined) return known;
    const scored = { ...scores, evaluation };
    this.givenRecords.set(record, scored);
    return scored;
  }

  private find(file: string): Promise<FoundEvaluation> {
    const stamp = fileStamp(resolve(this.host.folder, file));
    const known = this.found.get(file);
    if (known?.stamp === stamp) return known.evaluation;
    const evaluation = readEvaluation(file, this.host).catch((error: unknown) => unreadable(file, error));
    this.found.set(file, { stamp, evaluation });
    // What it lacks, data or a file with an evaluator, may be there the next time.
    void evaluation.then(({ mistakes }) => mistakes.length > 0 && this.found.delete(file));
    return evaluation;
  }

  private async scoreNow(evaluation: FoundEvaluation, record: string, against?: string): Promise<ScoredRecord> {
    const bulk = await bulkSettingsOf(undefined, {}, this.host);
    try {
      await using evaluated = await evaluateFile(
        evaluation.path,
        { run: record, against, bulk },
        { loadingSeconds },
        this.host,
      );
      const { result } = evaluated;
      const before = against === undefined ? evaluation.baseline : await evaluated.score(against);
      return {
        ...{ result, evaluation },
        ...(before === undefined ? {} : { before, against: before.run.id }),
      };
    } catch (error) {
      if (!(error instanceof EvaluationNotReady)) throw error;
      const [first] = error.diagnostics;
      throw new ProjectFailure(`${evaluation.path} cannot score it: ${first?.message ?? error.message}`, {
        code: 'EvaluationNotReady',
      });
    }
  }
}

/** What it asks of models was answered. */
function givenEvaluation({ path, spec, result, baseline }: ScoredEvaluation): FoundEvaluation {
  const { name, run } = result;
  const data = run.made?.data?.path;
  return {
    ...{ path, name, spec, flow: run.flow, asked: [], mistakes: [] },
    ...(data === undefined ? {} : { data }),
    ...(baseline === undefined ? {} : { baseline }),
  };
}

/** Undefined for another run. */
function givenScores(
  { result, record: own, against, baseline }: ScoredEvaluation,
  record: string,
): Omit<ScoredRecord, 'evaluation'> | undefined {
  if (against?.record === record) return { result: against.result };
  if (own !== record) return undefined;
  const before = against?.result ?? baseline;
  return { result, ...(before === undefined ? {} : { before, against: before.run.id }) };
}

function asksModels({ path, asked }: FoundEvaluation): ProjectFailure {
  const { asksModels: told, runIt } = evaluationWords.en;
  return new ProjectFailure(told(asked), { code: 'AsksModels', help: runIt(path) });
}

/** Whatever has the name of an evaluation: one that cannot be read keeps nobody from the others. */
function unreadable(file: string, error: unknown): FoundEvaluation {
  if (!(error instanceof ProjectFailure)) throw error;
  return { path: file, name: file, asked: [], mistakes: [error.message] };
}

async function readEvaluation(file: string, host: ProjectHost): Promise<FoundEvaluation> {
  const found = findEval(file, host);
  await using files = fileEvaluators(found.folder, compose(host, found.folder), host.folder, () => undefined);
  const { spec, diagnostics } = await openEval(found, {}, host, files.find);
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  if (spec === undefined) return { path: found.shown, name: file, asked: [], mistakes: errors };
  const located = spec.flow === undefined ? undefined : locateFlow(resolve(found.folder, spec.flow));
  const { baseline, problem } = baselineOf(found, host);
  return {
    path: found.shown,
    name: evalName(spec, found),
    spec,
    ...(located?.ok === true ? { flowFile: located.file, flow: shownPath(located.folder, host.folder) } : {}),
    ...(spec.data === undefined ? {} : { data: shownPath(join(found.folder, spec.data), host.folder) }),
    ...(baseline === undefined ? {} : { baseline }),
    asked: spec.metrics
      .filter(({ evaluator }) => evaluator.judgedBy !== undefined || evaluator.connectionOf !== undefined)
      .map(({ name }) => name),
    mistakes: [...errors, ...(problem === undefined ? [] : [problem])],
  };
}

function baselineOf(
  found: Parameters<typeof openBaseline>[0],
  host: ProjectHost,
): { readonly baseline?: Baseline; readonly problem?: string } {
  try {
    const baseline = openBaseline(found, undefined, host);
    return baseline === undefined ? {} : { baseline };
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return { problem: error.message };
  }
}

function evaluationStamp({ path, data, spec }: FoundEvaluation, host: ProjectHost): string {
  const found = findEval(path, host);
  const evaluators = (spec?.metrics ?? []).map(({ evaluator }) => resolve(found.folder, evaluator.name));
  const rows = data === undefined ? [] : [resolve(host.folder, data), labelPath(resolve(host.folder, data))];
  return [found.file, baselinePath(found, undefined, host), ...rows, ...evaluators].map(fileStamp).join(' ');
}

/** Changes with the file. */
export function fileStamp(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size}:${stat.mtimeMs}`;
}
