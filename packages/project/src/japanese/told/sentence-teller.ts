interface Pattern {
  /** What stands before, between and behind the values. */
  readonly fixed: readonly string[];
  readonly told: string;
}

/**
 * Tells a sentence in another language: the table has each with `{}` where a value stands, and in its translation `{1}` for the
 * first of those values as it came, `{1*}` where that may be a sentence itself.
 *
 * @param within tells such a value
 * @returns undefined for a sentence that is not in the table
 */
export function sentenceTeller(
  sentences: Readonly<Record<string, string>>,
  within: (value: string) => string | undefined,
): (text: string) => string | undefined {
  // Those that say more come first: `run {} has no row {} that ended` before `run {} has no row {}`.
  const patterns: readonly Pattern[] = Object.entries(sentences)
    .map(([english, told]) => ({ fixed: english.split('{}'), told }))
    .toSorted((one, other) => other.fixed.join('').length - one.fixed.join('').length);
  return (text) => {
    for (const { fixed, told } of patterns) {
      const values = valuesBetween(text, fixed);
      if (values === undefined) continue;
      return told.replaceAll(/\{(\d)(\*?)\}/g, (_, place: string, isSentence: string) => {
        const value = values[Number(place) - 1] ?? '';
        return isSentence === '' ? value : (within(value) ?? value);
      });
    }
    return undefined;
  };
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
