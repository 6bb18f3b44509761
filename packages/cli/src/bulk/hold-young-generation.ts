import v8 from 'node:v8';

/** Of both halves. They double each time it grows: from here on each is 8 MB. */
const heldBytes = 12 * 2 ** 20;
/** By how much the old generation may have grown when it is collected again. */
const growingPercent = 20;
/** Rows between two looks: fewer than fill it. */
const rowsBetween = 16;

/**
 * Ends the growth of V8's young generation at two halves of 8 MB, once it has come so far. Left alone it doubles up to 64 MB
 * in a long run, which is touched all over and spares no CPU that can be measured: what rows leave behind is short-lived.
 * Its largest size can be set only before V8 starts; by how much it grows, at any time. The little that rows leave in the old
 * generation is collected when that has grown by a fifth: V8 would let it double, and memory would grow with the rows.
 *
 * @returns to be called for every row
 */
export function holdYoungGeneration(): () => void {
  v8.setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
  let held = isHeld();
  let rows = 0;
  return () => {
    rows += 1;
    if (!held && rows % rowsBetween === 0) held = isHeld();
  };
}

function isHeld(): boolean {
  const young = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young !== undefined && young.space_size < heldBytes) return false;
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  return true;
}

/** The rows as they come, the young generation held meanwhile. */
export function* heldRows<Row>(rows: Iterable<Row>): Iterable<Row> {
  const look = holdYoungGeneration();
  for (const row of rows) {
    look();
    yield row;
  }
}
