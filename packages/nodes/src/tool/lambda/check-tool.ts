/** Most tools one agent may have (JP1 Cloud Service manual, 6.1). */
export const toolLimit = 10;

/** Whether a user program's tool may be called so: 1 to 128 of `a-z 0-9 _`, not starting with `_`, which is kept for built-ins. */
export function isToolName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_]{0,127}$/.test(name);
}

/** Whether a description has the length the manual allows, 1 to 4096 characters. */
export function isToolDescription(description: string): boolean {
  const { length } = [...description];
  return length >= 1 && length <= 4096;
}

export interface AttachedTools {
  readonly attached: readonly string[];
  /** Level W of the manual: processing goes on, with the first ten. */
  readonly warning?: string;
}

/** The tools one agent gets of those its prompt lists: each once, the first ten in the order of the list. */
export function attachTools(listed: readonly string[]): AttachedTools {
  const names = [...new Set(listed)];
  if (names.length <= toolLimit) return { attached: names };
  const left = names.slice(toolLimit).join(', ');
  return {
    attached: names.slice(0, toolLimit),
    warning: `an agent has at most ${toolLimit} tools; these are left out: ${left}`,
  };
}
