/** Pieces in which models answered nodes that ask for streams, by the row (the inputs of the flow, one object a row). */
const streamsOfRows = new WeakMap<object, Map<string, readonly string[]>>();

/** Keeps the pieces of a streamed answer for Python nodes of the same row: they are given a generator of them. */
export function keepModelStream(row: object, node: string, pieces: readonly string[]): void {
  const streams = streamsOfRows.get(row) ?? new Map<string, readonly string[]>();
  streamsOfRows.set(row, streams);
  streams.set(node, pieces);
}

/** What a node answered in pieces in this row; undefined where it answered as a whole, or was not asked in this run. */
export function modelStream(row: object, node: string): readonly string[] | undefined {
  return streamsOfRows.get(row)?.get(node);
}
