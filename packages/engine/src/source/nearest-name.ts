/**
 * The candidate the author most likely meant by `name`, for a did-you-mean; undefined when none is near.
 *
 * One that differs only in case, `_`, `-` or spaces wins; otherwise the one with the fewest edits, at most a third of the
 * longer name. Of equally near ones the first given is taken.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  return createNameSearch(candidates).nearest(name);
}

/** Looks for many names among the same candidates. */
export interface NameSearch {
  /** The candidates, each once, in their order. */
  readonly names: ReadonlySet<string>;
  /** As `nearestName`. */
  nearest(name: string): string | undefined;
}

/**
 * Names compared letter by letter for all questions of a search, before it gives up. A file with so many wrong
 * names has another mistake than a slip of the keyboard.
 */
const maxCompared = 100_000;

/** Past its bound a search finds only names that differ in case, `_`, `-` or spaces, so that thousands of wrong names do not take minutes. */
export function createNameSearch(candidates: Iterable<string>, bound = maxCompared): NameSearch {
  const names = new Set(candidates);
  const plainNames = [...names].map((candidate) => ({ candidate, plain: plain(candidate) }));
  const byPlain = Map.groupBy(plainNames, (known) => known.plain);
  const answers = new Map<string, string | undefined>();
  let left = bound;

  const search = (name: string): string | undefined => {
    const wanted = plain(name);
    const same = byPlain.get(wanted)?.find(({ candidate }) => candidate !== name);
    if (same !== undefined || left <= 0) return same?.candidate;
    left -= names.size;
    const others = names.has(name) ? plainNames.filter(({ candidate }) => candidate !== name) : plainNames;
    return fewestEdits(wanted, others);
  };

  const nearest = (name: string): string | undefined => {
    if (!answers.has(name)) answers.set(name, search(name));
    return answers.get(name);
  };

  return { names, nearest };
}

function fewestEdits(
  wanted: string,
  known: readonly { readonly candidate: string; readonly plain: string }[],
): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const { candidate, plain: other } of known) {
    const limit = Math.min(maxEdits(wanted, other), (best?.distance ?? Infinity) - 1);
    const distance = limit < 1 ? Infinity : editDistance(wanted, other, limit);
    if (distance <= limit) best = { candidate, distance };
  }
  return best?.candidate;
}

/** `did you mean "…"?` for the nearest candidate; undefined when none is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? undefined : meantText(name, nearest);
}

/** `did you mean "…"?`; of two names that nobody sees apart, as macOS writes those of files and a keyboard types them, why they are two. */
export function meantText(name: string, meant: string): string {
  if (name.normalize('NFC') !== meant.normalize('NFC')) return `did you mean "${meant}"?`;
  return `"${meant}" is there, whose letters are composed another way (Unicode NFC, NFD) and look the same: rename it, or copy its name`;
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[_\-\s]/g, '');
}

function maxEdits(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  // A name of one letter would be near every other one.
  if (shorter < 2) return 0;
  return Math.max(1, Math.floor(Math.max(left.length, right.length) / 3));
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one text into the other; any number above `limit`
 * stands for "more than `limit`". Each place is edited at most once.
 *
 * Damerau-Levenshtein in its restricted form (optimal string alignment), as in Boytsov, Indexing methods for approximate
 * dictionary searching (2011), 2.2.1.
 */
export function editDistance(left: string, right: string, limit = Infinity): number {
  const a = [...left];
  const b = [...right];
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = areSwapped(a, b, row, column) ? at(beforeLast, column - 2) + 1 : Infinity;
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, replaced, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function areSwapped(a: readonly string[], b: readonly string[], row: number, column: number): boolean {
  return row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
