import v8 from 'node:v8';

/** Of both halves. They double each time it grows: between 4 and 8 MB each. */
const heldBytes = 12 * 2 ** 20;
const lookEveryMs = 25;

/**
 * Ends the growth of V8's young generation at two halves of 8 MB, once it has come so far. Left alone it doubles up to 64 MB
 * in a long run, which is touched all over and spares no CPU that can be measured: what rows leave behind is short-lived.
 * Its largest size can be set only before V8 starts; by how much it grows, at any time.
 */
export function holdYoungGeneration(): void {
  if (isHeld()) return;
  const timer = setInterval(() => {
    if (isHeld()) clearInterval(timer);
  }, lookEveryMs);
  timer.unref();
}

function isHeld(): boolean {
  const young = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young !== undefined && young.space_size < heldBytes) return false;
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  return true;
}
