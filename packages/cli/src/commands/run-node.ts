import {
  didYouMean,
  type JsonObject,
  type NodeRun,
  type PlanNode,
  type RowRun,
  type RunnableFlow,
  redactedRow,
} from '@unroll/engine';
import type { FoundFlow } from '@unroll/project';
import { findRun, lockRun, nodePlace, openRecord, ProjectFailure, recordRun } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import { type GivenNodeInputs, nodeInputs, unknownNodeInputs } from '../inputs/node-inputs.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';
import { failureText } from '../reporters/failure-text.ts';
import { createRunReporter } from '../reporters/run-reporter.ts';
import { givenRecord } from '../runs/given-run.ts';
import { runResult, stringifyResult } from '../runs/run-result.ts';
import { indentLines, readableValue } from '../text/readable-value.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** Runs one node alone, with given inputs or those it had in a recorded run. */
export async function runOneNode(
  flow: RunnableFlow,
  found: FoundFlow,
  name: string,
  given: GivenNodeInputs,
  settings: RunSettings,
  io: Io,
): Promise<number> {
  const node = findNode(flow, name);
  for (const warning of unknownNodeInputs(node, { ...given.fromFile, ...given.fromPairs })) {
    io.stderr.write(`warning: ${warning}\n`);
  }
  const before = recordedRow(name, settings, io);
  const inputs = { ...before?.get(name)?.inputs, ...nodeInputs(node, flow.plan, given) };
  checkNodeInputs(node, inputs);
  const isJson = settings.json;
  const style = createStyle(!isJson && usesColor(io.stdout, io, settings.color));
  const report = createRunReporter(flow.plan, io.stdout, style);
  const record = recordRun(
    flow,
    found,
    { ...givenRecord(settings, io), options: { node: name } },
    hostOf(settings, io),
  );
  using _lock = lockRun(record.file, record.id);
  await using store = record.store;
  const run = await flow.runNode(name, inputs, {
    runId: record.id,
    line: 0,
    signal: io.interruption(),
    ...(before === undefined ? {} : { finished: before }),
    ...(isJson ? {} : { onEvent: report }),
  });
  const row = redactedRow(rowOf(run, inputs), flow.redactor);
  await store.append([run], row);
  store.ensureKept();
  if (isJson) io.stdout.write(stringifyResult(runResult(row, [run], {}, record)));
  else {
    report({ type: 'node-ended', line: 0, run });
    io.stdout.write(`\n${indentLines(readableValue(run.output ?? null), 2)}\n`);
    if (row.error !== undefined) {
      io.stdout.write(`\n${failureText(row.error, { place: nodePlace(flow.plan, name), style })}\n`);
    }
    io.stdout.write(`\n${style.dim('record')}  ${record.path}\n`);
  }
  if (run.status === 'Canceled') return exitCode.interrupted;
  return run.status === 'Failed' ? exitCode.failed : exitCode.done;
}

function findNode(flow: RunnableFlow, name: string): PlanNode {
  const node = flow.plan.nodes.find((candidate) => candidate.name === name);
  if (node !== undefined) return node;
  const names = flow.plan.nodes.map((candidate) => candidate.name);
  throw new ProjectFailure(`the flow has no node "${name}"`, {
    code: 'NodeNotFound',
    help: didYouMean(name, names) ?? `Its nodes: ${names.join(', ')}`,
  });
}

/** The row that the node's inputs are taken of: of prompts among them it tells which lines came from values. */
function recordedRow(node: string, settings: RunSettings, io: Io): ReadonlyMap<string, NodeRun> | undefined {
  const from = settings.from;
  if (from === undefined) return undefined;
  const store = openRecord(findRun(from, hostOf(settings, io)), hostOf(settings, io));
  const row = new Map(store.nodes(0).map((run) => [run.node, run]));
  const { inputs, redacted = [] } = row.get(node) ?? {};
  if (redacted.includes('inputs')) {
    throw new ProjectFailure(`in run ${store.info.id}, inputs of node "${node}" held a secret, which no record keeps`, {
      help: 'Give its inputs with --input name=value or --inputs FILE, without --from.',
    });
  }
  if (inputs !== undefined) return row;
  throw new ProjectFailure(`in run ${store.info.id}, node "${node}" did not run`);
}

function checkNodeInputs(node: PlanNode, given: JsonObject): void {
  const missing = node.inputs.filter(({ name, binding }) => binding.kind !== 'literal' && !Object.hasOwn(given, name));
  if (missing.length === 0) return;
  throw new ProjectFailure(`node "${node.name}" needs ${missing.map(({ name }) => `"${name}"`).join(', ')}`, {
    code: 'InputNotFound',
    help: 'Give them with --input name=value or --inputs FILE, or take those of a run with --from latest.',
  });
}

function rowOf(run: NodeRun, inputs: JsonObject): RowRun {
  return {
    line: 0,
    status: run.status === 'Failed' || run.status === 'Canceled' ? run.status : 'Completed',
    inputs,
    outputs: run.output === undefined ? {} : { output: run.output },
    ...(run.error === undefined ? {} : { error: { ...run.error, node: run.node } }),
    startedAt: run.startedAt ?? 0,
    durationMs: run.durationMs ?? 0,
  };
}
