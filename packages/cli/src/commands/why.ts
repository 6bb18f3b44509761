import { type NodeRun, type RowRun, type RunStore, valueHash } from '@unroll/engine';
import { type Explanation, explainRun, type NodeSide, programChange } from '@unroll/evals';
import { findRun, openRecord, placeOf, type RowPlace, rowName, selectNodes } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import { explanationJson } from '../reporters/explanation-json.ts';
import { explanationText } from '../reporters/explanation-text.ts';
import { printJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow why`: for each named node of a row, what changed since an earlier run, or from where its output was taken. */
export async function why(call: CommandCall): Promise<number> {
  const { options, io } = call;
  const host = hostOf(call);
  await using store = openRecord(findRun(call.arguments[0], host), host);
  const place = placeOf(store, textOf(options, 'row'));
  const runs = nodesOf(store, place, textOf(options, 'node'));
  const named = textOf(options, 'against') ?? recordedSince(store);
  await using earlier = named === undefined ? undefined : openRecord(findRun(named, host), host);
  const before = earlier === undefined ? undefined : sameRow(store.row(place.line, place.repeat), place, earlier);
  const told = runs.map((run): ToldNode => ({ run, explanation: explain(run, store, earlier, before) }));
  const about = { run: store.info.id, against: earlier?.info.id, row: rowName(place) };
  if (options['json'] === true) io.stdout.write(printJsonLine(explanationJson(told, about), 2));
  else {
    const style = createStyle(usesColor(io.stdout, io, options['color']));
    io.stdout.write(explanationText(told, about, { style, columns: io.stdout.columns ?? 100 }));
  }
  return exitCode.done;
}

export interface ToldNode {
  readonly run: NodeRun;
  readonly explanation: Explanation;
}

export interface WhyAbout {
  readonly run: string;
  /** The run it is compared with. */
  readonly against: string | undefined;
  readonly row: string;
}

/** The named ones, else all of the row in the order of the flow. */
function nodesOf(store: RunStore, { line, repeat = 0 }: RowPlace, name: string | undefined): readonly NodeRun[] {
  const runs = store.nodes(line, repeat);
  if (name !== undefined) return selectNodes(name, runs, store.info);
  return store.info.nodes.flatMap((node) => runs.find((run) => run.node === node.name) ?? []);
}

function recordedSince({ info }: RunStore): string | undefined {
  const since = info.options?.['since'];
  return typeof since === 'string' ? since : undefined;
}

/** The row of the earlier run that was given the same, wherever it stood; else the one of the same number. */
function sameRow(row: RowRun | undefined, place: RowPlace, earlier: RunStore): RowPlace {
  const { line, repeat = 0 } = place;
  if (row === undefined) return place;
  const given = valueHash(row.inputs);
  const isSame = (one: RowRun): boolean => (one.repeat ?? 0) === repeat && valueHash(one.inputs) === given;
  const own = earlier.row(line, repeat);
  if (own !== undefined && isSame(own)) return place;
  for (const one of earlier.rows()) if (isSame(one)) return one;
  return place;
}

function explain(
  run: NodeRun,
  store: RunStore,
  earlier: RunStore | undefined,
  place: RowPlace | undefined,
): Explanation {
  const { nodeDefinitions, nodeReads, madeWith } = store.info;
  const made = { parts: nodeDefinitions?.[run.node], reads: nodeReads?.[run.node] };
  const program = programChange(earlier?.info.madeWith, madeWith);
  const side = earlier === undefined || place === undefined ? undefined : sideOf(run.node, place, earlier);
  return explainRun(run, made, side && { ...side, ...(program === undefined ? {} : { program }) });
}

function sideOf(node: string, { line, repeat = 0 }: RowPlace, earlier: RunStore): NodeSide {
  const records = earlier.nodes(line, repeat);
  return {
    record: records.find((record) => record.node === node),
    parts: earlier.info.nodeDefinitions?.[node],
    reads: earlier.info.nodeReads?.[node],
    hasRow: records.length > 0,
  };
}
