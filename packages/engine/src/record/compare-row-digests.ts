import {
  digestsDiffer,
  hasShape,
  inputsAt,
  type NodePlaces,
  outputsAt,
  placesOf,
  shapeOf,
  statusOfRow,
} from './row-digests.ts';
import { nodeCode, type RowPatterns } from './row-patterns.ts';

/** Where the nodes of a run stand in the list of nodes that are compared, by their ids. */
export type PlacesById = ReadonlyMap<number, number>;

/** Compares the digests of two rows node by node; nothing is made for each of them. */
export class RowDigestComparer {
  private readonly patterns: RowPatterns;
  private readonly nodes: number;
  private readonly left: Side;
  private readonly right: Side;

  /** @param nodes how many there are in the list */
  constructor(patterns: RowPatterns, nodes: number, ids: { readonly left: PlacesById; readonly right: PlacesById }) {
    this.patterns = patterns;
    this.nodes = nodes;
    this.left = new Side(nodes, ids.left);
    this.right = new Side(nodes, ids.right);
  }

  /**
   * Counts a pair of rows by its pattern, and returns the pattern's id.
   *
   * @param left, right digits of `row_digests`
   * @param inputs names of the flow's inputs that differ
   */
  count(left: string, right: string, inputs: readonly string[]): number {
    const { patterns, nodes } = this;
    const outputsDiffer = digestsDiffer(left, outputsAt, right, outputsAt);
    let state = patterns.begin(statusOfRow(left), statusOfRow(right), outputsDiffer, inputs);
    const [lefts, rights] = [this.left.placesIn(left), this.right.placesIn(right)];
    for (let place = 0; place < nodes; place += 1) {
      const [one, other] = [lefts[place] as NodePlaces, rights[place] as NodePlaces];
      if (one.status === other.status && !digestsDiffer(left, one.output, right, other.output)) continue;
      state = patterns.node(state, place, codeOf(left, one, right, other));
    }
    return patterns.end(state);
  }

  /** The same of rows whose digests are the same; their first two digits tell how they ended. */
  countSame(digits: string): number {
    const status = statusOfRow(digits);
    return this.patterns.end(this.patterns.begin(status, status, false, []));
  }
}

/** Whether the same went into two rows. */
export function inputsAreSame(left: string, right: string): boolean {
  return !digestsDiffer(left, inputsAt, right, inputsAt);
}

const noRecord: NodePlaces = { id: -1, status: -1, output: -1, inputs: -1, fingerprint: -1 };

/** Rows of one run; those of the same shape have the same digests at the same places. */
class Side {
  private readonly nodes: number;
  private readonly ids: PlacesById;
  private readonly known = new Map<string, readonly NodePlaces[]>();
  private shape: string | undefined;
  private places: readonly NodePlaces[] = [];

  constructor(nodes: number, ids: PlacesById) {
    this.nodes = nodes;
    this.ids = ids;
  }

  /** By place of the nodes in the list; `noRecord` where the row has none. */
  placesIn(digits: string): readonly NodePlaces[] {
    if (this.shape !== undefined && hasShape(digits, this.shape)) return this.places;
    const shape = shapeOf(digits);
    this.shape = shape;
    this.places = this.known.get(shape) ?? this.read(shape);
    return this.places;
  }

  private read(shape: string): readonly NodePlaces[] {
    const places = new Array<NodePlaces>(this.nodes).fill(noRecord);
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

function codeOf(left: string, one: NodePlaces, right: string, other: NodePlaces): number {
  if (one.status < 0 || other.status < 0) return nodeCode(one.status, other.status, true, true, 2);
  const areBothKnown = one.fingerprint >= 0 && other.fingerprint >= 0;
  return nodeCode(
    one.status,
    other.status,
    digestsDiffer(left, one.output, right, other.output),
    digestsDiffer(left, one.inputs, right, other.inputs),
    !areBothKnown ? 2 : digestsDiffer(left, one.fingerprint, right, other.fingerprint) ? 1 : 0,
  );
}
