import { isMapping, type JsonObject, type JsonValue, type RowScope } from '@unroll/engine';

/**
 * What a node that asks for a stream puts beside its output, `{pieces}`: the lengths of the pieces in which the model answered,
 * so that Python nodes of the same row are given a generator of them.
 */
export function besideStream(pieces: readonly string[]): JsonObject {
  return { pieces: pieces.map(({ length }) => length) };
}

/**
 * The pieces of `text` where it is what a node answered in a stream in this row, in this attempt or an earlier one; undefined
 * where it answered as a whole.
 */
export function modelStream(
  row: RowScope | undefined,
  node: string,
  text: JsonValue | undefined,
): readonly string[] | undefined {
  const handed = row?.handed(node);
  if (typeof text !== 'string' || handed?.output !== text) return undefined;
  const { beside } = handed;
  const lengths = beside !== undefined && isMapping(beside) ? beside['pieces'] : undefined;
  if (!Array.isArray(lengths)) return undefined;
  let from = 0;
  return (lengths as readonly number[]).map((length) => {
    from += length;
    return text.slice(from - length, from);
  });
}
