export interface HallucinationRate {
  /** Share of actions that name no tool of the set; null where there was no action. */
  readonly rate: number | null;
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * Actions outside the tool set over all generated actions. `Finish` is always of the set; names are compared exactly
 * but for the white space around them. An error of a known tool is none.
 */
export function hallucinationRate(actions: readonly string[], toolSet: readonly string[]): HallucinationRate {
  const known = new Set([...toolSet, 'Finish']);
  const numerator = actions.filter((action) => !known.has(action.trim())).length;
  const denominator = actions.length;
  return { rate: denominator === 0 ? null : numerator / denominator, numerator, denominator };
}
