interface Pattern {
  /** What stands before, between and behind the values. */
  readonly fixed: readonly string[];
  readonly told: string;
}

/** A sentence within a sentence, and so on: what somebody else said may look like many. */
const mostWithin = 4;

/** Of a longer text it is what a service said, or code. */
const longest = 20_000;

/**
 * Tells a sentence in another language: the table has each with `{}` where a value stands, and in its translation `{1}` for the
 * first of those values as it came, `{1*}` where that may be a sentence itself.
 *
 * @param within tells such a value
 * @param leastLetters of a sentence with values: shorter ones may be anybody's words, and are told within others only
 * @returns undefined for a sentence that is not in the table
 */
export function sentenceTeller(
  sentences: Readonly<Record<string, string>>,
  within: (value: string) => string | undefined,
  leastLetters = 0,
): (text: string) => string | undefined {
  // Those that say more come first: `run {} has no row {} that ended` before `run {} has no row {}`.
  const patterns: readonly Pattern[] = Object.entries(sentences)
    .map(([english, told]) => ({ fixed: english.split('{}'), told }))
    .filter(({ fixed }) => fixed.length === 1 || lettersOf(fixed) >= leastLetters)
    .toSorted((one, other) => other.fixed.join('').length - one.fixed.join('').length);
  let depth = 0;
  const tellWithin = (value: string): string => {
    if (depth === mostWithin) return value;
    depth += 1;
    try {
      return within(value) ?? value;
    } finally {
      depth -= 1;
    }
  };
  return (text) => {
    if (text.length > longest) return undefined;
    for (const { fixed, told } of patterns) {
      const values = valuesBetween(text, fixed);
      if (values === undefined) continue;
      return told.replaceAll(/\{(\d)(\*?)\}/g, (_, place: string, isSentence: string) => {
        const value = values[Number(place) - 1] ?? '';
        return isSentence === '' ? value : tellWithin(value);
      });
    }
    return undefined;
  };
}

function lettersOf(fixed: readonly string[]): number {
  return fixed.join('').replaceAll(/[^A-Za-z]/g, '').length;
}

/** The values between the fixed parts of a sentence, each as short as can be but the last. */
function valuesBetween(text: string, fixed: readonly string[]): readonly string[] | undefined {
  const [start = '', ...others] = fixed;
  const end = others.pop();
  if (end === undefined) return text === start ? [] : undefined;
  if (!text.startsWith(start) || !text.endsWith(end)) return undefined;
  const values: string[] = [];
  let from = start.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at === -1) return undefined;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  const last = text.length - end.length;
  return from > last ? undefined : [...values, text.slice(from, last)];
}
