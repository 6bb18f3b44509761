/** Beyond so many pairs of lines that differ, all of them count as values'. */
const mostPairs = 4_000_000;

/**
 * A text with the marks that stand in another rendering of it, for which values held them. Where an operation saw the marks
 * (`length`, `tojson`, a slice) the two renderings differ: the lines that do count as a value's, with marks after the line break and
 * before each colon.
 */
export function carryMarks(text: string, marked: string, mark: string): string {
  const bare = marked.replaceAll(mark, '');
  if (bare === text) return marked;
  const [lines, markedLines] = [text.split('\n'), marked.split('\n')];
  const same = sameLines(lines, bare.split('\n'));
  return lines
    .map((line, at) => {
      const other = same.get(at);
      if (other !== undefined) return markedLines[other];
      return `${at === 0 ? '' : mark}${line.replaceAll(':', `${mark}:`)}`;
    })
    .join('\n');
}

/** By lines of one text, the lines of the other that are the same, in the same order: as many as there are. */
function sameLines(lines: readonly string[], others: readonly string[]): ReadonlyMap<number, number> {
  const same = new Map<number, number>();
  let start = 0;
  while (start < lines.length && start < others.length && lines[start] === others[start]) {
    same.set(start, start);
    start += 1;
  }
  let [end, otherEnd] = [lines.length, others.length];
  while (end > start && otherEnd > start && lines[end - 1] === others[otherEnd - 1]) same.set(--end, --otherEnd);
  const between = pairLines(lines.slice(start, end), others.slice(start, otherEnd));
  for (const [line, other] of between) same.set(start + line, start + other);
  return same;
}

/** A longest common subsequence. */
function pairLines(lines: readonly string[], others: readonly string[]): readonly (readonly [number, number])[] {
  if (lines.length * others.length > mostPairs) return [];
  const longest = commonLengths(lines, others);
  const pairs: [number, number][] = [];
  let [line, other] = [0, 0];
  while (line < lines.length && other < others.length) {
    if (lines[line] === others[other]) pairs.push([line++, other++]);
    else if (longest(line + 1, other) >= longest(line, other + 1)) line += 1;
    else other += 1;
  }
  return pairs;
}

/** How many lines two texts have in common from a line of each on. */
function commonLengths(lines: readonly string[], others: readonly string[]): (line: number, other: number) => number {
  const width = others.length + 1;
  const lengths = new Uint32Array((lines.length + 1) * width);
  const at = (line: number, other: number): number => lengths[line * width + other] ?? 0;
  for (let line = lines.length - 1; line >= 0; line -= 1) {
    for (let other = others.length - 1; other >= 0; other -= 1) {
      const isSame = lines[line] === others[other];
      lengths[line * width + other] = isSame
        ? at(line + 1, other + 1) + 1
        : Math.max(at(line + 1, other), at(line, other + 1));
    }
  }
  return at;
}
