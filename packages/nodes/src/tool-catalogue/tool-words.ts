import type { DescribedTool } from './catalogue-tool.ts';
import { splitWords } from './split-words.ts';

/** What of a tool is searched; each counts the same. */
export const toolFields = ['own', 'group', 'category', 'description', 'arguments'] as const;

export type ToolField = (typeof toolFields)[number];

/** The words of each field of a tool, with repeats. */
export type ToolWords = Readonly<Record<ToolField, readonly string[]>>;

export function wordsOfTool(tool: DescribedTool): ToolWords {
  return {
    own: splitWords(tool.own),
    group: splitWords(tool.group),
    category: splitWords(tool.category),
    description: splitWords(searchedDescription(tool)),
    arguments: splitWords(argumentsText(tool)),
  };
}

/** What a tool does, and what people ask for whom it helps. */
function searchedDescription({ description, queries }: DescribedTool): string {
  return queries === undefined ? description : [description, ...queries].join('\n');
}

/** Names and descriptions, one a line. */
function argumentsText({ parameters }: DescribedTool): string {
  const properties = parameters['properties'];
  if (typeof properties !== 'object' || properties === null) return '';
  const lines = Object.entries(properties as Readonly<Record<string, unknown>>).map(([name, schema]) => {
    const description = (schema as { readonly description?: unknown } | null)?.description;
    return typeof description === 'string' ? `${name}\n${description}` : name;
  });
  return lines.join('\n');
}
