import { canonicalNames, identityOf } from './canonical-names.ts';
import type { CatalogueTool, PlacedTool, ToolMistake } from './catalogue-tool.ts';

/** Tools by the names that a model is told. */
export interface ToolCatalogue {
  readonly tools: readonly CatalogueTool[];
  /** The tool of exactly this name. */
  find(name: string): CatalogueTool | undefined;
}

export function createCatalogue(tools: readonly CatalogueTool[]): ToolCatalogue {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return { tools, find: (name) => byName.get(name) };
}

export interface BuiltCatalogue {
  readonly tools: readonly CatalogueTool[];
  readonly mistakes: readonly ToolMistake[];
}

/** Tools with the names that a model is told; of a tool that is described twice the first stays, and the second is told. */
export function nameTools(placed: readonly PlacedTool[]): BuiltCatalogue {
  const first = new Map<string, PlacedTool>();
  const mistakes: ToolMistake[] = [];
  for (const one of placed) {
    const identity = identityOf(one.tool);
    const before = first.get(identity);
    if (before === undefined) first.set(identity, one);
    else mistakes.push({ place: one.place, message: `"${one.tool.own}" is described already at ${before.place}` });
  }
  const described = [...first.values()].map(({ tool }) => tool);
  const names = canonicalNames(described);
  return { tools: described.map((tool, at) => ({ ...tool, name: names[at] ?? '' })), mistakes };
}
