const endings = new Set<() => void>();

/**
 * Has `end` called when this process exits, however soon: a second interrupt does not wait until anything is closed.
 *
 * @param end does its work before it returns
 * @returns takes that back
 */
export function endWithProcess(end: () => void): () => void {
  if (endings.size === 0) process.on('exit', endAll);
  endings.add(end);
  return () => {
    endings.delete(end);
    if (endings.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const end of endings) end();
}
