import type { Diagnostic } from '@unroll/engine';
import { mistake } from '../../errors/mistake-in-file.ts';
import type { McpServer } from '../../mcp/index.ts';
import { toolLimit } from '../lambda/index.ts';
import type { PlacedEntry } from './table-reading.ts';
import { uniqueToolNames } from './unique-tool-names.ts';
import type { WrittenTools } from './written-tools.ts';

/** Each name that a table gives a second time. */
export function repeatedNames(
  entries: readonly PlacedEntry[],
  written: WrittenTools | undefined,
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return entries.flatMap(({ entry, index }) => {
    const names = entry.kind === 'tool' ? [entry.tool.name] : serverNames(entry.server);
    const twice = names.filter((name, at) => seen.has(name) || names.indexOf(name) !== at);
    for (const name of names) seen.add(name);
    const span = written?.locate([index, entry.kind === 'tool' ? 'name' : 'allow']);
    const help = entry.kind === 'tool' ? undefined : 'give those of an MCP server a prefix';
    return twice.map((name) => mistake('TOOL_TWICE', `there are two tools "${name}"`, span, help));
  });
}

/** By the rule of `mcp-tools.ts`. */
function serverNames({ allow, prefix }: McpServer): readonly string[] {
  return uniqueToolNames(allow.map((name) => `${prefix}${name}`));
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
