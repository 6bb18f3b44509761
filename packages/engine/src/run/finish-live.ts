import type { NodeError } from '../node/node-error.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { Value } from '../value/json.ts';
import { giveValue, LiveValue } from '../value/live-value.ts';
import type { PlanRun } from './run-plan.ts';

export interface FinishedLive {
  readonly run: PlanRun;
  /** Records that had to wait for the end of the row, by node id. */
  readonly late: readonly { readonly id: number; readonly run: NodeRun }[];
}

/** Whether an output gives its items only once, so that what it gave is known at the end of the row. */
export function isStream(output: Value | undefined): boolean {
  const current: unknown = output;
  return current instanceof LiveValue && current.isStream;
}

/**
 * The outputs of a row as plain JSON, streams joined to texts in the order of the outputs, and then the records of
 * streams with the items they gave. An output that is no JSON fails the row (Prompt flow's `FlowOutputUnserializable`).
 */
export async function finishLive(run: PlanRun): Promise<FinishedLive> {
  const outputs: Record<string, Value> = {};
  let error: NodeError | undefined;
  for (const [name, value] of Object.entries(run.outputs)) {
    const given = await giveValue(value);
    if (given.ok) outputs[name] = given.value;
    else error ??= notGiven(name, isStream(value), given.error);
  }
  const late: { id: number; run: NodeRun }[] = [];
  for (const [id, record] of run.runs.entries()) {
    const output: unknown = record?.output;
    if (record === undefined || !(output instanceof LiveValue) || !output.isStream) continue;
    late.push({ id, run: { ...record, output: await output.taken() } });
  }
  const runs = [...run.runs];
  for (const one of late) runs[one.id] = one.run;
  const finished = error === undefined ? { ...run, runs, outputs } : { ...run, runs, outputs: {}, error };
  return { run: finished, late };
}

function notGiven(name: string, stream: boolean, { type, message }: { type: string; message: string }): NodeError {
  if (stream) return { code: type, message, retryable: false, codes: ['SystemError', type] };
  return {
    code: 'FlowOutputUnserializable',
    message: `The output '${name}' for flow is incorrect. The output value is not JSON serializable. JSON dump failed: (${type}) ${message}. Please verify your flow output and make sure the value serializable.`,
    retryable: false,
    codes: ['UserError', 'FlowOutputUnserializable'],
  };
}
