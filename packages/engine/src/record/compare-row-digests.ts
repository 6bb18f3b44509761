import { nodePair } from './node-pair.ts';
import type { RowRun } from './node-run.ts';
import { type NodeDigests, readRowDigests, readRowHead } from './row-digests.ts';
import type { NodePair, RowPair } from './run-comparison.ts';
import { statusOf } from './status-number.ts';

/** Where the nodes of a run stand in the list of nodes that are compared, by their ids. */
export type PlacesById = ReadonlyMap<number, number>;

export interface ComparedNodes {
  /** In the order in which they are told. */
  readonly names: readonly string[];
  readonly ids: { readonly left: PlacesById; readonly right: PlacesById };
}

/**
 * Compares the digests of two rows node by node.
 *
 * @param left, right digits of `row_digests`
 * @param inputs names of the flow's inputs that differ
 */
export function compareRowDigests(
  left: string,
  right: string,
  { names, ids }: ComparedNodes,
  inputs: readonly string[],
): RowPair {
  const [lefts, rights] = [nodesByPlace(left, ids.left), nodesByPlace(right, ids.right)];
  const nodes: NodePair[] = [];
  for (const [place, node] of names.entries()) {
    const [one, other] = [lefts[place], rights[place]];
    if (one?.status === other?.status && one?.outputHash === other?.outputHash) continue;
    nodes.push(pairOf(node, one, other));
  }
  const [one, other] = [readRowHead(left), readRowHead(right)];
  const outputsDiffer = one.outputsHash !== other.outputsHash;
  return { left: rowStatus(one.status), right: rowStatus(other.status), outputsDiffer, inputs, nodes };
}

/** Of two rows whose digests are the same, and which ended so. */
export function samePair(statusNumber: number): RowPair {
  const status = rowStatus(statusNumber);
  return { left: status, right: status, outputsDiffer: false, inputs: [], nodes: [] };
}

/** Whether the same went into two rows. */
export function inputsAreSame(left: string, right: string): boolean {
  return readRowHead(left).inputsHash === readRowHead(right).inputsHash;
}

/** By place of the nodes in the list; a gap where the row has no record. */
function nodesByPlace(digits: string, ids: PlacesById): readonly (NodeDigests | undefined)[] {
  const nodes: NodeDigests[] = [];
  for (const [id, node] of readRowDigests(digits)) {
    const place = ids.get(id);
    if (place !== undefined) nodes[place] = node;
  }
  return nodes;
}

function rowStatus(status: number): RowRun['status'] {
  return statusOf(status) as RowRun['status'];
}

function pairOf(node: string, one: NodeDigests | undefined, other: NodeDigests | undefined): NodePair {
  const areBothKnown = one?.fingerprint !== undefined && other?.fingerprint !== undefined;
  return nodePair({
    node,
    left: one && statusOf(one.status),
    right: other && statusOf(other.status),
    outputDiffers: one?.outputHash !== other?.outputHash,
    inputsDiffer: one?.inputsHash !== other?.inputsHash,
    fingerprintDiffers: areBothKnown ? one.fingerprint !== other.fingerprint : undefined,
  });
}
