/** A sentence as the program says it, and its Japanese, `$1` where a value stands. */
export type JapaneseRule = readonly [says: RegExp, japanese: string];

/** By the first rule that fits; what none knows stays as it was said. */
export function inJapanese(text: string, rules: readonly JapaneseRule[]): string {
  const found = rules.find(([says]) => says.test(text));
  return found === undefined ? text : text.replace(...found);
}
