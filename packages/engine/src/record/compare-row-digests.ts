import { nodePair } from './node-pair.ts';
import type { RowRun } from './node-run.ts';
import { digestsDiffer, inputsAt, type NodePlaces, outputsAt, placesOf, shapeOf, statusOfRow } from './row-digests.ts';
import type { NodePair, RowPair } from './run-comparison.ts';
import { statusOf } from './status-number.ts';

/** Where the nodes of a run stand in the list of nodes that are compared, by their ids. */
export type PlacesById = ReadonlyMap<number, number>;

/** Compares the digests of two rows node by node. */
export class RowDigestComparer {
  private readonly names: readonly string[];
  private readonly left: Side;
  private readonly right: Side;

  /** @param names of the nodes, in the order in which they are told */
  constructor(names: readonly string[], ids: { readonly left: PlacesById; readonly right: PlacesById }) {
    this.names = names;
    this.left = new Side(ids.left);
    this.right = new Side(ids.right);
  }

  /**
   * @param left, right digits of `row_digests`
   * @param inputs names of the flow's inputs that differ
   */
  compare(left: string, right: string, inputs: readonly string[]): RowPair {
    const [lefts, rights] = [this.left.placesIn(left), this.right.placesIn(right)];
    const nodes: NodePair[] = [];
    for (const [place, node] of this.names.entries()) {
      const [one, other] = [lefts[place] ?? noRecord, rights[place] ?? noRecord];
      if (one.status === other.status && !digestsDiffer(left, one.output, right, other.output)) continue;
      nodes.push(pairOf(node, left, one, right, other));
    }
    const outputsDiffer = digestsDiffer(left, outputsAt, right, outputsAt);
    return { left: rowStatus(left), right: rowStatus(right), outputsDiffer, inputs, nodes };
  }
}

/** Of two rows whose digests are the same; their first two digits tell how they ended. */
export function samePair(digits: string): RowPair {
  const status = rowStatus(digits);
  return { left: status, right: status, outputsDiffer: false, inputs: [], nodes: [] };
}

/** Whether the same went into two rows. */
export function inputsAreSame(left: string, right: string): boolean {
  return !digestsDiffer(left, inputsAt, right, inputsAt);
}

const noRecord: NodePlaces = { id: -1, status: -1, output: -1, inputs: -1, fingerprint: -1 };

/** Rows of one run; those of the same shape have the same digests at the same places. */
class Side {
  private readonly ids: PlacesById;
  private readonly known = new Map<string, readonly NodePlaces[]>();

  constructor(ids: PlacesById) {
    this.ids = ids;
  }

  /** By place of the nodes in the list; a gap where the row has no record. */
  placesIn(digits: string): readonly (NodePlaces | undefined)[] {
    const shape = shapeOf(digits);
    const known = this.known.get(shape);
    if (known !== undefined) return known;
    const places: NodePlaces[] = [];
    for (const ofNode of placesOf(shape)) {
      const place = this.ids.get(ofNode.id);
      if (place !== undefined) places[place] = ofNode;
    }
    if (this.known.size < maxShapes) this.known.set(shape, places);
    return places;
  }
}

/** Of which the places are kept. */
const maxShapes = 1000;

function rowStatus(digits: string): RowRun['status'] {
  return statusOf(statusOfRow(digits)) as RowRun['status'];
}

function pairOf(node: string, left: string, one: NodePlaces, right: string, other: NodePlaces): NodePair {
  const isOnOneSide = one.status < 0 || other.status < 0;
  const areBothKnown = one.fingerprint >= 0 && other.fingerprint >= 0;
  return nodePair({
    node,
    left: one.status < 0 ? undefined : statusOf(one.status),
    right: other.status < 0 ? undefined : statusOf(other.status),
    outputDiffers: isOnOneSide || digestsDiffer(left, one.output, right, other.output),
    inputsDiffer: digestsDiffer(left, one.inputs, right, other.inputs),
    fingerprintDiffers: areBothKnown ? digestsDiffer(left, one.fingerprint, right, other.fingerprint) : undefined,
  });
}
