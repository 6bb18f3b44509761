import { addUsage } from '../node/add-usage.ts';
import type { NodeError } from '../node/node-error.ts';
import type { NodeReport } from '../node/node-report.ts';
import type { NodeRun } from '../record/node-run.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../value/json.ts';
import { giveValue, holdsStream, type OnPiece, RemoteValue, takenValue } from '../value/remote-value.ts';
import type { PlanRun } from './plan-run.ts';

/** Who sees streams that are outputs come. */
export interface StreamListener {
  /** Before the first piece. @param outputs those that are no streams */
  begin(outputs: JsonObject, streams: readonly string[]): void;
  pieceOf(output: string): OnPiece;
}

export interface FinishedLive {
  readonly run: PlanRun;
  /** Records that had to wait for the end of the row, by node id. */
  readonly late: readonly { readonly id: number; readonly run: NodeRun }[];
}

/**
 * The outputs of a row as plain JSON, streams joined to texts in the order of the outputs, and then the records of
 * streams with the items they gave. An output that is no JSON fails the row with `FlowOutputUnserializable`.
 *
 * @param listener is told which outputs are streams, and then their pieces as they come
 * @param signal aborted where the row is given up, which a stream without end makes it wait for: it ends without outputs
 */
export async function finishLive(run: PlanRun, listener?: StreamListener, signal?: AbortSignal): Promise<FinishedLive> {
  const { outputs, error } = await giveOutputs(run, listener, signal);
  const isGivenUp = signal?.aborted === true;
  const late: { id: number; run: NodeRun }[] = [];
  for (const [id, record] of run.runs.entries()) {
    if (record?.output === undefined || !holdsStream(record.output)) continue;
    const output = isGivenUp ? shownText(record.output) : await takenValue(record.output);
    late.push({ id, run: { ...withLateReport(record), output, inexact: 'copied' } });
  }
  const runs = [...run.runs];
  for (const one of late) runs[one.id] = one.run;
  if (isGivenUp) return { run: { ...run, runs, outputs: {}, canceled: true }, late };
  const finished = error === undefined ? { ...run, runs, outputs } : { ...run, runs, outputs, error };
  return { run: finished, late };
}

/** With the tokens of models that its code only asked for as its items were taken. */
function withLateReport(record: NodeRun): NodeRun {
  const output: unknown = record.output;
  const late = output instanceof RemoteValue ? (output.lateReport as LateReport | undefined) : undefined;
  if (late === undefined) return record;
  const { usage, warnings = [] } = late;
  return {
    ...record,
    ...(usage === undefined ? {} : { usage: addUsage(record.usage, usage) }),
    ...(warnings.length === 0 ? {} : { warnings: [...(record.warnings ?? []), ...warnings] }),
  };
}

type LateReport = Pick<NodeReport, 'usage' | 'warnings'>;

/** A row that fails keeps what its outputs would have been, as Prompt flow's does: what is no JSON as the text it prints as. */
async function giveOutputs(
  run: PlanRun,
  listener: StreamListener | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly outputs: Readonly<Record<string, JsonValue>>; readonly error?: NodeError }> {
  const outputs: Record<string, JsonValue> = {};
  let error: NodeError | undefined;
  const names = Object.keys(run.outputs);
  const streams = listener === undefined ? [] : names.filter((name) => comesInPieces(run.outputs[name]));
  // Whoever sees streams come is told all else before.
  for (const name of [...names.filter((one) => !streams.includes(one)), ...streams]) {
    const value = run.outputs[name] as JsonValue;
    if (name === streams[0] && error === undefined) listener?.begin({ ...outputs }, streams);
    const given = await giveValue(value, listener?.pieceOf(name), signal);
    outputs[name] = given.ok ? given.value : shownText(value);
    if (!given.ok) error ??= notGiven(name, comesInPieces(value), given.error);
  }
  const ordered = Object.fromEntries(names.map((name) => [name, outputs[name] ?? null]));
  if (error === undefined) return { outputs: ordered };
  return { outputs: error.code === unserializable ? ordered : {}, error };
}

const unserializable = 'FlowOutputUnserializable';

function shownText(value: JsonValue): JsonValue {
  const current: unknown = value;
  return current instanceof RemoteValue ? current.toJSON() : parseJson(stringifyJson(value));
}

function comesInPieces(output: unknown): boolean {
  return output instanceof RemoteValue && output.comesInPieces;
}

function notGiven(name: string, stream: boolean, { type, message }: { type: string; message: string }): NodeError {
  if (stream) return { code: type, message, retryable: false };
  return {
    code: unserializable,
    message: `The output '${name}' for flow is incorrect. The output value is not JSON serializable. JSON dump failed: (${type}) ${message}. Please verify your flow output and make sure the value serializable.`,
    retryable: false,
  };
}
