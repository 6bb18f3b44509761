import type { NodeError } from '../node/node-error.ts';
import type { NodeRun } from '../record/node-run.ts';
import { type JsonValue, parseJson, stringifyJson } from '../value/json.ts';
import { giveValue, holdsStream, RemoteValue, takenValue } from '../value/remote-value.ts';
import type { PlanRun } from './plan-run.ts';

export interface FinishedLive {
  readonly run: PlanRun;
  /** Records that had to wait for the end of the row, by node id. */
  readonly late: readonly { readonly id: number; readonly run: NodeRun }[];
}

/**
 * The outputs of a row as plain JSON, streams joined to texts in the order of the outputs, and then the records of
 * streams with the items they gave. An output that is no JSON fails the row with `FlowOutputUnserializable`.
 *
 * @param onText is told the pieces of streams as they come, with the name of the output
 */
export async function finishLive(run: PlanRun, onText?: (output: string, text: string) => void): Promise<FinishedLive> {
  const { outputs, error } = await giveOutputs(run, onText);
  const late: { id: number; run: NodeRun }[] = [];
  for (const [id, record] of run.runs.entries()) {
    if (record?.output === undefined || !holdsStream(record.output)) continue;
    late.push({ id, run: { ...record, output: await takenValue(record.output), inexact: 'copied' } });
  }
  const runs = [...run.runs];
  for (const one of late) runs[one.id] = one.run;
  const finished = error === undefined ? { ...run, runs, outputs } : { ...run, runs, outputs, error };
  return { run: finished, late };
}

/** A row that fails keeps what its outputs would have been, as Prompt flow's does: what is no JSON as the text it prints as. */
async function giveOutputs(
  run: PlanRun,
  onText?: (output: string, text: string) => void,
): Promise<{ readonly outputs: Readonly<Record<string, JsonValue>>; readonly error?: NodeError }> {
  const outputs: Record<string, JsonValue> = {};
  let error: NodeError | undefined;
  for (const [name, value] of Object.entries(run.outputs)) {
    const given = await giveValue(value, onText === undefined ? undefined : (text) => onText(name, text));
    outputs[name] = given.ok ? given.value : shownText(value);
    if (!given.ok) error ??= notGiven(name, isStream(value), given.error);
  }
  if (error === undefined) return { outputs };
  return { outputs: error.code === unserializable ? outputs : {}, error };
}

const unserializable = 'FlowOutputUnserializable';

function shownText(value: JsonValue): JsonValue {
  const current: unknown = value;
  return current instanceof RemoteValue ? current.toJSON() : parseJson(stringifyJson(value));
}

function isStream(output: unknown): boolean {
  return output instanceof RemoteValue && output.isStream;
}

function notGiven(name: string, stream: boolean, { type, message }: { type: string; message: string }): NodeError {
  if (stream) return { code: type, message, retryable: false };
  return {
    code: unserializable,
    message: `The output '${name}' for flow is incorrect. The output value is not JSON serializable. JSON dump failed: (${type}) ${message}. Please verify your flow output and make sure the value serializable.`,
    retryable: false,
  };
}
