import { allOf, earlierRun, type RunInfo, type RunNode, type RunReader } from '@unroll/engine';
import {
  bestFirst,
  type EvalResult,
  type EvalSpec,
  type MetricResult,
  type OracleGain,
  oracleGain,
} from '@unroll/evals';
import type { BulkSettings } from '../bulk/bulk-settings.ts';
import { withNewBulk } from '../bulk/open-bulk.ts';
import { type BulkJob, runBulkJob } from '../bulk/run-bulk-job.ts';
import type { OracleOutputs } from '../flows/flow-settings.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { BulkOutcome } from '../host/run-outcome.ts';
import { findRun } from '../records/find-run.ts';
import { openRecord } from '../records/open-record.ts';
import { runIdOf } from '../records/record-place.ts';
import { madeFolder } from '../records/runs-folder.ts';
import { earlierRunName } from '../records/since-run.ts';
import { evalBulkSettings } from './eval-settings.ts';
import type { EvaluatedFile } from './evaluate-file.ts';
import { RunStopped } from './evaluation-failures.ts';
import {
  allTargets,
  type Expectations,
  expectationsInData,
  expectationsInRun,
  type OracleTarget,
  oracleTarget,
} from './expectations.ts';
import { isOneOf, type RowExpectations, whyLeftOut } from './left-out-targets.ts';
import { linesText } from './lines-text.ts';
import { rowsOfBoth, rowsOfData } from './rows-of-both.ts';

/** Whose outputs are given, and what is looked at then. */
export interface OracleSettings {
  /** Nodes, or families of them; none: each node that something is expected of. */
  readonly nodes?: readonly string[];
  /** Each node by itself, turns of a loop left out that tell what their family tells. */
  readonly isSweep?: boolean;
  /** Metrics by name; none: those of the flow's outputs. */
  readonly metrics?: readonly string[];
  /** A run that is right, whose outputs are given; absent: the data says them as `expected.<node>`. */
  readonly from?: string | undefined;
  /** How the flow is run, as the evaluation was asked. */
  readonly bulk: BulkSettings;
  /** Aborted, the run under way starts no new row. */
  readonly signal?: AbortSignal | undefined;
}

/** What each given output does to the end scores, the best first, and the runs that show it. */
export interface OracleReport {
  readonly result: EvalResult;
  /** The end scores. */
  readonly metrics: readonly MetricResult[];
  /** Where the given outputs come from. */
  readonly from: string;
  readonly gains: readonly (OracleGain & { readonly run: string })[];
  /** Nodes that were left out, and why. */
  readonly leftOut: readonly { readonly node: string; readonly reason: string }[];
}

/**
 * Runs the flow of an evaluation with outputs given, and tells what the end scores gain.
 *
 * @throws ProjectFailure where nothing is expected of any node, or a run was stopped
 */
export async function runOracle(
  base: EvaluatedFile,
  settings: OracleSettings,
  host: ProjectHost,
): Promise<OracleReport> {
  await using store = await openRecord(base.run, host);
  const { nodes } = store.info;
  const metrics = endMetrics(base.result, settings.metrics ?? []);
  await using expected = await openExpectations(base, store, settings, host);
  const { expectations } = expected;
  const ran = new Set((await allOf(store.rowEnds())).map(({ line }) => line));
  const gains: OracleReport['gains'][number][] = [];
  const leftOut: { node: string; reason: string }[] = [];
  for (const target of targetsOf(settings, nodes)) {
    const given = new Map([...(await expectations.of(target.nodes))].filter(([line]) => ran.has(line)));
    if (settings.isSweep === true && isOneOf(target, given)) continue;
    const reason = await whyLeftOut(given, store, base.result.rows.repeats);
    if (reason !== undefined) {
      leftOut.push({ node: target.name, reason });
      continue;
    }
    host.report({ type: 'outputs-given', node: target.name, rows: given.size });
    const run = await runGiven(base, target, given, store, settings, host);
    if (gains.length === 0) await warnChanged(store, run, host);
    gains.push(...(await gainsOf(base, metrics, target, new Set(given.keys()), run)));
  }
  refuseNothing(gains, leftOut, expectations);
  return { result: base.result, metrics, from: expectations.from, gains: sorted(gains, metrics), leftOut };
}

/** Metrics of the outputs of the flow; those that `--metric` names. */
function endMetrics({ metrics }: EvalResult, named: readonly string[]): readonly MetricResult[] {
  const unknown = named.find((name) => !metrics.some((metric) => metric.name === name));
  if (unknown !== undefined) {
    throw new ProjectFailure(`the evaluation has no metric "${unknown}"`, {
      help: `It has ${metrics.map(({ name }) => name).join(', ')}.`,
    });
  }
  const chosen = metrics.filter(({ name, on }) =>
    named.length > 0 ? named.includes(name) : on.startsWith('outputs.'),
  );
  if (chosen.length > 0) return chosen;
  throw new ProjectFailure('no metric is on an output of the flow: there is no end score to raise', {
    help: 'Give the evaluation one (on: outputs.answer), or name metrics: --metric NAME.',
  });
}

interface OpenedExpectations extends AsyncDisposable {
  readonly expectations: Expectations;
}

async function openExpectations(
  { data }: EvaluatedFile,
  store: RunReader,
  { from }: OracleSettings,
  host: ProjectHost,
): Promise<OpenedExpectations> {
  const { nodes } = store.info;
  if (from === undefined) {
    const rows = data === undefined ? noRows() : rowsOfData(data, store, host);
    return { expectations: await expectationsInData(rows, nodes), [Symbol.asyncDispose]: async () => undefined };
  }
  const right = await openRecord(await findRun(from, host), host);
  const same = await rowsOfBoth(right, store, host);
  return {
    expectations: expectationsInRun(earlierRun(right), same, nodes),
    [Symbol.asyncDispose]: () => right[Symbol.asyncDispose](),
  };
}

async function* noRows() {}

function targetsOf({ nodes: asked = [] }: OracleSettings, nodes: readonly RunNode[]): readonly OracleTarget[] {
  const named = asked.map((written) => oracleTarget(written, nodes));
  return named.length > 0 ? named : allTargets(nodes);
}

/** @returns the record's file */
async function runGiven(
  { spec, found, run, result }: EvaluatedFile,
  { name, nodes }: OracleTarget,
  given: RowExpectations,
  { info }: RunReader,
  { bulk, signal }: OracleSettings,
  host: ProjectHost,
): Promise<string> {
  // Apart from other runs: `latest` is none of them.
  const place = { ...host, runsFolder: madeFolder(host.runsFolder) };
  const settings = {
    ...ofRecord(evalBulkSettings(spec, found, bulk, host), spec, info),
    since: await earlierRunName(run, place),
    rows: linesText([...given.keys()]),
    repeat: result.rows.repeats,
    oracle: [...nodes],
  };
  const outputs: OracleOutputs = { nodes, expected: ({ node, line }) => outputOf(given, line, node) };
  const work = (job: BulkJob): Promise<BulkOutcome> => runBulkJob(job, place, signal);
  const { record, result: ran } = await withNewBulk(settings, place, work, outputs);
  if (ran.stopped) throw new RunStopped(record.file, found.shown, name);
  return record.file;
}

/** Name and choice of rows are those of the run as it was; flow and data too where the evaluation names a run alone. */
function ofRecord(
  { name: _base, sample: _drawn, ...settings }: BulkSettings,
  spec: EvalSpec,
  { flowPath, data }: RunInfo,
): BulkSettings {
  return {
    ...settings,
    ...(spec.flow === undefined ? { flow: flowPath } : {}),
    ...(spec.data === undefined && data?.path !== undefined ? { data: data.path } : {}),
  };
}

async function warnChanged(store: RunReader, run: string, host: ProjectHost): Promise<void> {
  await using now = await openRecord(run, host);
  if (now.info.flowDigest === store.info.flowDigest) return;
  const message = `the flow changed since run ${store.info.id}: part of the gain may be its own`;
  notify(host, { kind: 'warning', message });
}

function outputOf(given: RowExpectations, line: number, node: string) {
  const output = given.get(line)?.get(node);
  return output === undefined ? undefined : { output };
}

async function gainsOf(
  { spec, score }: EvaluatedFile,
  metrics: readonly MetricResult[],
  target: OracleTarget,
  lines: ReadonlySet<number>,
  run: string,
): Promise<OracleReport['gains']> {
  const after = await score(run);
  return metrics.flatMap((before) => {
    const same = after.metrics.find(({ name }) => name === before.name);
    return same === undefined
      ? []
      : [{ ...oracleGain(target.name, before, same, lines, spec.seed), run: runIdOf(run) }];
  });
}

function sorted(gains: OracleReport['gains'], metrics: readonly MetricResult[]): OracleReport['gains'] {
  return metrics.flatMap(
    ({ name }) => bestFirst(gains.filter(({ metric }) => metric === name)) as OracleReport['gains'],
  );
}

function refuseNothing(gains: readonly unknown[], leftOut: OracleReport['leftOut'], { from }: Expectations): void {
  if (gains.length > 0 || leftOut.some(({ reason }) => reason === 'gave what was expected')) return;
  throw new ProjectFailure(
    `nothing is given: ${from} names no output of ${leftOut.map(({ node }) => node).join(', ')}`,
    {
      help: 'Rows say what a node should have given as expected.<node>; or take it from a run that is right: --oracle-from RUN.',
      code: 'NoExpectations',
    },
  );
}
