import { type DataSource, earlierRun, type RunInfo, type RunNode, type RunStore, valueHash } from '@unroll/engine';
import { bestFirst, type EvalResult, type EvalSpec, type MetricResult, oracleGain } from '@unroll/evals';
import type { BulkSettings } from '@unroll/project';
import { earlierRunName, findRun, madeFolder, openRecord, ProjectFailure, runIdOf } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { evalSettings } from '../eval/eval-settings.ts';
import type { EvalFile } from '../eval/open-eval.ts';
import { exitCode } from '../exit-code.ts';
import { listOf, textOf } from '../option-values.ts';
import {
  allTargets,
  type Expectations,
  expectationsInData,
  expectationsInRun,
  type OracleTarget,
  oracleTarget,
} from '../oracle/expectations.ts';
import { type OracleReport, oracleJson, oracleText } from '../oracle/print-oracle.ts';
import { hostOf } from '../project-host.ts';
import { printJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { runForRecord } from './run-bulk.ts';

/** A scored run, and what it takes to run it again with outputs given. */
export interface OracleBase {
  readonly spec: EvalSpec;
  readonly found: EvalFile;
  readonly data: DataSource | undefined;
  /** File of the record. */
  readonly run: string;
  readonly result: EvalResult;
  /** Scores another record of the same rows. */
  readonly score: (run: string) => Promise<EvalResult>;
}

/** `flow eval --oracle NODE`, `--oracle-sweep`: runs the flow with outputs given and tells what the end scores gain. */
export async function evaluateOracle(base: OracleBase, call: CommandCall): Promise<number> {
  await using store = openRecord(base.run, hostOf(call));
  const { nodes } = store.info;
  const metrics = endMetrics(base.result, listOf(call.options, 'metric'));
  await using expected = await openExpectations(base, store, call);
  const { expectations } = expected;
  const targets = targetsOf(call, nodes);
  const isSweep = call.options['oracleSweep'] === true;
  const ran = new Set([...store.rowEnds()].map(({ line }) => line));
  const gains: OracleReport['gains'][number][] = [];
  const leftOut: { node: string; reason: string }[] = [];
  for (const target of targets) {
    const given = new Map([...expectations.of(target.nodes)].filter(([line]) => ran.has(line)));
    if (isSweep && isOneOf(target, given)) continue;
    const reason = whyLeftOut(given, store);
    if (reason !== undefined) {
      leftOut.push({ node: target.name, reason });
      continue;
    }
    tellUnderWay(target, given, call);
    const run = await runGiven(base, target, given, store, call);
    if (typeof run === 'number') return run;
    if (gains.length === 0) await warnChanged(store, run, call);
    gains.push(...(await gainsOf(base, metrics, target, new Set(given.keys()), run)));
  }
  refuseNothing(gains, leftOut, expectations);
  const report = { result: base.result, metrics, from: expectations.from, gains: sorted(gains, metrics), leftOut };
  tell(report, call);
  return exitCode.done;
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
  { data }: OracleBase,
  store: RunStore,
  { options, io }: CommandCall,
): Promise<OpenedExpectations> {
  const { nodes } = store.info;
  const from = textOf(options, 'oracleFrom');
  if (from === undefined) {
    const rows = data === undefined ? noRows() : data.rows();
    return { expectations: await expectationsInData(rows, nodes), [Symbol.asyncDispose]: async () => undefined };
  }
  const right = openRecord(findRun(from, hostOf({ options, io })), hostOf({ options, io }));
  const lines = [...right.rowEnds()].flatMap(({ line, repeat }) => (repeat === 0 ? [line] : []));
  return {
    expectations: expectationsInRun(earlierRun(right), lines, nodes),
    [Symbol.asyncDispose]: () => right[Symbol.asyncDispose](),
  };
}

async function* noRows() {}

function targetsOf({ options }: CommandCall, nodes: readonly RunNode[]): readonly OracleTarget[] {
  const named = listOf(options, 'oracle').map((written) => oracleTarget(written, nodes));
  return named.length > 0 ? named : allTargets(nodes);
}

type Given = ReturnType<Expectations['of']>;

/** A family of which no more than one turn is given is told by that turn. */
function isOneOf({ nodes }: OracleTarget, given: Given): boolean {
  return nodes.size > 1 && new Set([...given.values()].flatMap((outputs) => [...outputs.keys()])).size < 2;
}

/** Nothing is expected, or all of it is what the run gave anyway. */
function whyLeftOut(given: Given, store: RunStore): string | undefined {
  if (given.size === 0) return 'nothing is expected of';
  for (const [line, outputs] of given) {
    const records = store.nodes(line);
    for (const [node, output] of outputs) {
      const record = records.find((run) => run.node === node);
      if (record?.output === undefined || valueHash(record.output) !== valueHash(output)) return undefined;
    }
  }
  return 'gave what was expected';
}

/** @returns the record's file, or the exit code where the run came to no end */
async function runGiven(
  { spec, found, run, result }: OracleBase,
  { name, nodes }: OracleTarget,
  given: Given,
  { info }: RunStore,
  call: CommandCall,
): Promise<string | number> {
  const settings = ofRecord(evalSettings(spec, found, call), spec, info);
  const lines = [...given.keys()];
  const runsDir = madeFolder(hostOf(call).runsFolder);
  const options = { ...call.options, runsDir, since: run, cache: undefined, name: undefined, quiet: true };
  const ran = await runForRecord(
    {
      ...settings,
      since: earlierRunName(run, hostOf({ ...call, options })),
      rows: linesText(lines),
      repeat: result.rows.repeats,
      oracle: [...nodes],
    },
    { ...call, options },
    { nodes, expected: ({ node, line }) => outputOf(given, line, node) },
  );
  if (ran === undefined) return exitCode.wrong;
  if (!ran.stopped) return ran.file;
  call.io.stderr.write(`stopped while the output of ${name} was given: nothing is told\n`);
  return exitCode.interrupted;
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

function tellUnderWay({ name }: OracleTarget, given: Given, { io, options }: CommandCall): void {
  if (options['quiet'] === true || options['json'] === true) return;
  io.stderr.write(`${name}: ${given.size} ${given.size === 1 ? 'output' : 'outputs'} given\n`);
}

async function warnChanged(store: RunStore, run: string, call: CommandCall): Promise<void> {
  await using now = openRecord(run, hostOf(call));
  if (now.info.flowDigest === store.info.flowDigest) return;
  call.io.stderr.write(`warning: the flow changed since run ${store.info.id}: part of the gain may be its own\n`);
}

function outputOf(given: Given, line: number, node: string) {
  const output = given.get(line)?.get(node);
  return output === undefined ? undefined : { output };
}

/** `0-9,15`. */
function linesText(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of [...lines].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

async function gainsOf(
  { spec, score }: OracleBase,
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

function tell(report: OracleReport, { io, options }: CommandCall): void {
  if (options['json'] === true) io.stdout.write(printJsonLine(oracleJson(report), 2));
  else io.stdout.write(oracleText(report, createStyle(usesColor(io.stdout, io, options['color']))));
}
