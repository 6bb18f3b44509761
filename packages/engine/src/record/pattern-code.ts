import type { NodeStatus, RowRun } from './node-run.ts';
import type { NodePair, RowPattern } from './run-comparison.ts';
import { statusOf } from './status-number.ts';

/** A status column as a number below 6, 0 where there is no record. */
function statusSql(alias: string): string {
  return `coalesce(${alias}.status + 1, 0)`;
}

/**
 * SQL for everything a diff needs of one node in a pair of rows, as one number: place in the list of nodes, both statuses,
 * whether outputs, inputs and fingerprints differ (2: no fingerprint on a side). `readPattern` reads it.
 *
 * @param left, right aliases of the two records
 */
export function nodeCodeSql(place: string, left: string, right: string): string {
  const fingerprints = `coalesce(${left}.fingerprint <> ${right}.fingerprint, 2)`;
  const ended = `(${place} * 6 + ${statusSql(left)}) * 6 + ${statusSql(right)}`;
  const differing = ['output_hash', 'inputs_hash'].map((column) => `(${left}.${column} IS NOT ${right}.${column})`);
  return `((((${ended}) * 2 + ${differing[0]}) * 2 + ${differing[1]}) * 3 + ${fingerprints})`;
}

/** SQL for how two rows ended and whether what they gave differs, as one number. */
export function rowCodeSql(left: string, right: string): string {
  const ended = `${left}.status * 5 + ${right}.status`;
  return `((${ended}) * 2 + (${left}.outputs_hash <> ${right}.outputs_hash))`;
}

/** A pattern as SQL tells it: how the rows ended, a JSON list of the inputs that differ, and the codes of nodes. */
export interface WrittenPattern {
  readonly id: number;
  readonly rows: number;
  readonly code: number;
  readonly inputs: string;
  readonly codes: string;
}

export function readPattern({ id, rows, code, inputs, codes }: WrittenPattern, names: readonly string[]): RowPattern {
  const nodes = codes === '' ? [] : codes.split(',').map(Number);
  return {
    id,
    rows,
    left: statusOf(Math.floor(code / 10)) as RowRun['status'],
    right: statusOf(Math.floor(code / 2) % 5) as RowRun['status'],
    outputsDiffer: code % 2 === 1,
    inputs: JSON.parse(inputs) as readonly string[],
    nodes: nodes.sort((one, other) => one - other).map((one) => readNode(one, names)),
  };
}

function readNode(code: number, names: readonly string[]): NodePair {
  const [left, right] = [Math.floor(code / 72) % 6, Math.floor(code / 12) % 6];
  return nodePair(names[Math.floor(code / 432)] ?? '', {
    left: left === 0 ? undefined : statusOf(left - 1),
    right: right === 0 ? undefined : statusOf(right - 1),
    outputDiffers: Math.floor(code / 6) % 2 === 1,
    inputsDiffer: Math.floor(code / 3) % 2 === 1,
    fingerprintDiffers: code % 3 === 2 ? undefined : code % 3 === 1,
  });
}

/** What goes into a node is recorded only where it was started. */
export function nodePair(
  node: string,
  pair: {
    readonly left: NodeStatus | undefined;
    readonly right: NodeStatus | undefined;
    readonly outputDiffers: boolean;
    readonly inputsDiffer: boolean;
    readonly fingerprintDiffers: boolean | undefined;
  },
): NodePair {
  const { left, right, outputDiffers, inputsDiffer, fingerprintDiffers } = pair;
  const isStarted = [left, right].every(
    (status) => status !== undefined && status !== 'Bypassed' && status !== 'NotRun',
  );
  return {
    node,
    ...(left === undefined ? {} : { left }),
    ...(right === undefined ? {} : { right }),
    outputDiffers,
    ...(isStarted ? { inputsDiffer } : {}),
    ...(fingerprintDiffers === undefined ? {} : { fingerprintDiffers }),
  };
}
