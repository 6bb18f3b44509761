import type { DataSource, RecordProjection, RunInfo } from '@unroll/engine';
import { type EvalResult, type EvalSpec, joinData, scoreRun } from '@unroll/evals';
import type { Composition } from '../connections/compose.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { silentHost } from '../host/silent-host.ts';
import { recordedCosts } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { openRecord } from '../records/open-record.ts';
import { shownPlace } from '../records/record-place.ts';
import { yieldBetween } from '../records/yield-between.ts';
import type { EvalSettings } from './eval-settings.ts';
import type { FileEvaluators } from './file-evaluators.ts';
import { type EvalFile, evalName } from './find-eval.ts';
import { openJudges } from './open-judges.ts';
import { textEmbedders } from './text-embedders.ts';

export interface EvaluateOptions {
  readonly isCompared?: boolean;
  /** Asked before anything runs. @throws ProjectFailure when it is not to run */
  check?(spec: EvalSpec, found: EvalFile, hasBaseline: boolean): void;
  /** Aborted, its run starts no new row, and no more is asked of judges. */
  readonly signal?: AbortSignal | undefined;
  /** How long code of evaluators may take to load; as long as it takes where absent. */
  readonly loadingSeconds?: number;
}

/** An evaluation under way. */
export interface Evaluating {
  readonly found: EvalFile;
  readonly composed: Composition;
  readonly files: FileEvaluators;
  readonly settings: EvalSettings;
  readonly options: EvaluateOptions;
  readonly host: ProjectHost;
}

export interface Scoring extends Evaluating {
  readonly spec: EvalSpec;
  readonly data: DataSource | undefined;
}

/**
 * Scores a recorded run; asks judges where metrics have some, and never runs the flow.
 *
 * @param run where its record is
 * @param dataOf the data of the run itself; what is evaluated where it gives none
 */
export async function scoreRecord(
  run: string,
  { spec, found, data: evaluated, composed, settings, options, host }: Scoring,
  dataOf: (info: RunInfo, folder: string) => Promise<DataSource | undefined> = async () => undefined,
): Promise<EvalResult> {
  const opening = silentHost(host);
  const { connectionsFile, cassette } = settings.bulk;
  const judging = {
    connectionsFile,
    cassette,
    asksAgain: settings.asksAgain,
    signal: options.signal,
    reportsDrift: true,
  };
  await using judges = await openJudges(spec, found, judging, opening.host);
  opening.speak();
  if (judges.count > 0) host.report({ type: 'judging-started' });
  await using store = await openRecord(run, host);
  const { info } = store;
  const data = (await dataOf(info, host.folder)) ?? evaluated;
  const dataColumns =
    data === undefined ? {} : { data: joinData(data.batches(), info, data.digest === info.data?.digest) };
  const rows = {
    info,
    tokens: () => store.tokens(),
    readRows: (wanted: RecordProjection) => yieldBetween(store.readRows(wanted)),
  };
  return await scoreRun(spec, rows, {
    name: evalName(spec, found),
    path: shownPlace(run, host.folder),
    priceOf: recordedCosts(info, findPrices(host)),
    openEmbedder: textEmbedders(composed, host),
    judges,
    ...dataColumns,
  });
}
