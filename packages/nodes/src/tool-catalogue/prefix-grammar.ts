/**
 * A grammar (GBNF, llama.cpp) that takes exactly the given texts, factored by what they begin with: the texts become a tree of
 * letters, chains of which are one literal, and each branching a rule of its own. A sampler then holds a handful of
 * alternatives at each letter in place of all texts: 46,000 names in one flat choice cost a hundred times as much.
 *
 *     prefixGrammar(['get_order', 'get_orders', 'list'])
 *
 *     root ::= "get_order" r1 | "list"
 *     r1 ::= "" | "s"
 *
 * @param texts at least one; those given twice count once
 * @throws RangeError when there are none
 */
export function prefixGrammar(texts: readonly string[]): string {
  // In any order of letters, texts with one beginning stand together.
  const sorted = [...new Set(texts)].sort();
  if (sorted.length === 0) throw new RangeError('a grammar of no texts takes nothing');
  const rules: string[] = [];
  const ruleOf = (from: number, to: number, depth: number): string => {
    const branches = branchesOf(sorted, from, to, depth);
    return branches.map((branch) => alternative(branch)).join(' | ');
  };
  const alternative = ({ from, to, depth, end }: Branch): string => {
    const literal = quoted((sorted[from] ?? '').slice(depth, end));
    if (to - from === 1) return literal;
    const name = `r${rules.length}`;
    const at = rules.push('') - 1;
    rules[at] = `${name} ::= ${ruleOf(from, to, end)}`;
    return `${literal} ${name}`;
  };
  rules.push('');
  rules[0] = `root ::= ${ruleOf(0, sorted.length, 0)}`;
  return `${rules.join('\n')}\n`;
}

/** Texts from `from` up to `to` that are the same from `depth` up to `end`. */
interface Branch {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  readonly end: number;
}

function branchesOf(sorted: readonly string[], from: number, to: number, depth: number): readonly Branch[] {
  const branches: Branch[] = [];
  let at = from;
  while (at < to) {
    const letter = letterAt(sorted[at] ?? '', depth);
    let next = at + 1;
    while (next < to && letterAt(sorted[next] ?? '', depth) === letter) next += 1;
    // The first and the last of a sorted run share what all of it shares.
    branches.push({ from: at, to: next, depth, end: sharedEnd(sorted[at] ?? '', sorted[next - 1] ?? '', depth) });
    at = next;
  }
  return branches;
}

/** A whole code point, so that no character is cut in two; empty at the end of a text. */
function letterAt(text: string, depth: number): string {
  const code = text.codePointAt(depth);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function sharedEnd(one: string, other: string, depth: number): number {
  let end = depth;
  for (;;) {
    const letter = letterAt(one, end);
    if (letter === '' || letter !== letterAt(other, end)) return end;
    end += letter.length;
  }
}

function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t');
  return `"${escaped}"`;
}
