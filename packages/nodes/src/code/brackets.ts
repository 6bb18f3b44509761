/**
 * Where the bracket closes that was opened just before `start`; undefined when it does not.
 *
 * @param blank code without strings and comments
 */
export function closingBracket(blank: string, start: number): number | undefined {
  let depth = 1;
  for (let at = start; at < blank.length; at += 1) {
    const character = blank[at] as string;
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Stretches between the commas of one bracket's inside. */
export function splitAtCommas(
  blank: string,
  start: number,
  end: number,
): readonly { readonly start: number; readonly end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < end; at += 1) {
    const character = blank[at] as string;
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push({ start: from, end: at });
      from = at + 1;
    }
  }
  parts.push({ start: from, end });
  return parts;
}

/**
 * Those of the matches, which come in the order of the text, before which no bracket is open.
 *
 * @param blank code without strings and comments
 */
export function outsideBrackets(blank: string, matches: Iterable<RegExpExecArray>): readonly RegExpExecArray[] {
  let depth = 0;
  let at = 0;
  return [...matches].filter(({ index }) => {
    for (; at < index; at += 1) {
      const character = blank[at] as string;
      if ('([{'.includes(character)) depth += 1;
      else if (')]}'.includes(character)) depth -= 1;
    }
    return depth === 0;
  });
}
