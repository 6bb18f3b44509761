import type { Diagnostic } from '@unroll/engine';
import { toolLimit } from '../lambda/index.ts';
import type { PlacedEntry } from './table-reading.ts';
import { mistake, type WrittenTools } from './written-tools.ts';
/** Each name that a table gives a second time. */
export function repeatedNames(
  entries: readonly PlacedEntry[],
  written: WrittenTools | undefined,
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return entries.flatMap(({ entry, index }) => {
    if (entry.kind !== 'tool') return [];
    const { name } = entry.tool;
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [mistake('TOOL_TWICE', `there are two tools "${name}"`, written?.locate([index, 'name']))];
  });
}

/** Level W of the manual: the agent goes on with the first ten. */
export function tooManyPrograms(
  entries: readonly PlacedEntry[],
  written: WrittenTools | undefined,
): readonly Diagnostic[] {
  const programs = entries.filter(({ entry }) => entry.kind === 'tool' && entry.tool.executor.kind === 'lambda');
  const first = programs[toolLimit];
  if (first === undefined) return [];
  const names = programs.slice(toolLimit).map(({ entry }) => (entry.kind === 'tool' ? entry.tool.name : ''));
  const message = `an agent has at most ${toolLimit} user programs; these are left out: ${names.join(', ')}`;
  return [{ ...mistake('TOOL_LIMIT', message, written?.locate([first.index])), severity: 'warning' }];
}
