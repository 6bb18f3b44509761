import v8 from 'node:v8';

/** Of both halves. They double each time it grows: from here on each is 8 MB. */
const heldBytes = 12 * 2 ** 20;
/** Rows between two looks: fewer than fill it. */
const rowsBetween = 16;

/** V8's own values: what the command's code is kept with between starts must be as it was when it was loaded. */
const growsAsUsual = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];
let isRestored = false;

/**
 * Keeps a long run's memory where it is after its first rows.
 *
 * The growth of V8's young generation is ended at two halves of 8 MB, once it has come so far. Left alone it doubles up to
 * 64 MB, which is touched all over and spares no CPU that can be measured: what rows leave behind is short-lived. Its
 * largest size can be set only before V8 starts; by how much it grows, at any time. The little that rows leave in the old
 * generation is collected when that has grown by a fifth: V8 would let it double, and memory would grow with the rows.
 *
 * @returns to be called for every row
 */
export function holdYoungGeneration(): () => void {
  v8.setFlagsFromString('--heap-growing-percent=20');
  restoreAtExit();
  let held = isHeld();
  let rows = 0;
  return () => {
    rows += 1;
    if (!held && rows % rowsBetween === 0) held = isHeld();
  };
}

function restoreAtExit(): void {
  if (isRestored) return;
  isRestored = true;
  process.prependOnceListener('exit', () => {
    for (const flag of growsAsUsual) v8.setFlagsFromString(flag);
  });
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
