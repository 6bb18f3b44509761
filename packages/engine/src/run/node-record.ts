import type { NodeOutcome, NodeSuccess } from '../node/node-type.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { ShownValue } from '../value/remote-value.ts';
import type { CompiledNode } from './compile-plan.ts';
import type { RowPlace } from './forecast-row.ts';

interface Ran {
  readonly inputs: JsonObject;
  readonly startedAt: number;
  readonly durationMs: number;
}

/**
 * The record of a node that ran. What nodes mostly give is written out: to spread parts of a record costs more than all else that is done
 * for a node.
 */
export function nodeRecord(
  { name, kind }: CompiledNode,
  place: RowPlace,
  { inputs, startedAt, durationMs }: Ran,
  outcome: NodeOutcome,
): NodeRun {
  const { line, repeat } = place;
  if (outcome.ok && outcome.report === undefined && repeat === undefined) {
    const run = { line, node: name, kind, status: 'Completed' as const, inputs, output: recorded(outcome) };
    return { ...run, startedAt, durationMs, ...heldOf(outcome) };
  }
  return {
    ...place,
    node: name,
    kind,
    status: outcome.ok ? 'Completed' : outcome.canceled === true ? 'Canceled' : 'Failed',
    inputs,
    ...(outcome.ok ? { output: recorded(outcome), ...heldOf(outcome) } : { error: outcome.error }),
    startedAt,
    durationMs,
    ...outcome.report,
  };
}

function recorded({ output, shown }: NodeSuccess): JsonValue {
  return shown === undefined ? output : (new ShownValue(output, shown) as unknown as JsonValue);
}

const nothingHeld = {};

/** What a row needs beside the output to go on from a record. */
function heldOf({
  beside,
  changed,
  shared,
  inexact,
}: NodeSuccess): Pick<NodeRun, 'beside' | 'changed' | 'shared' | 'inexact'> {
  if (beside === undefined && changed === undefined && shared === undefined && inexact === undefined)
    return nothingHeld;
  return {
    ...(beside === undefined ? {} : { beside }),
    ...(changed === undefined ? {} : { changed }),
    ...(shared === undefined ? {} : { shared }),
    ...(inexact === undefined ? {} : { inexact }),
  };
}

/** What a node comes to that did not end when its row was given up. */
export function givenUp({ reason }: AbortSignal): NodeOutcome {
  const why = reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'the run was stopped';
  const message = `Tool execution is canceled because: ${why}`;
  return { ok: false, canceled: true, error: { code: 'ToolCanceledError', message, retryable: true } };
}
