/** The name most like `written`, when one is like enough to be meant: at most a third of its letters differ. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.max(written.length, name.length) / 3)))
    .sort((left, right) => left.distance - right.distance);
  return ranked[0]?.name;
}

/** Levenshtein's distance, row by row. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, character] of Array.from(left).entries()) {
    const next = [index + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const change = (row[column - 1] ?? 0) + (right[column - 1] === character ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
