import { isMapping, type JsonValue, parseJson, stringifyJson, textOf } from '@unroll/engine';
import { isCanonicalName } from './canonical-names.ts';
import type { CatalogueTool } from './catalogue-tool.ts';
import { describedTool } from './read-tools.ts';
import { createCatalogue, type ToolCatalogue } from './tool-catalogue.ts';

/** A catalogue file that cannot be read: the message names the line and what to do. */
export class CatalogueError extends Error {
  readonly code = 'CatalogueInvalid';
  constructor(message: string) {
    super(message);
    this.name = 'CatalogueInvalid';
  }
}

const format = 1;

/** The text of a `.tools` file: a line that says what it is, then a tool a line. */
export function stringifyCatalogue(tools: readonly CatalogueTool[]): string {
  const head = JSON.stringify({ unroll_tools: format, tools: tools.length });
  const lines = tools.map(({ name, own, group, category, ...rest }) =>
    stringifyJson({ name, api: own, tool: group, category, ...rest } as unknown as JsonValue),
  );
  return `${[head, ...lines].join('\n')}\n`;
}

/**
 * Reads a `.tools` file.
 *
 * @param path for messages
 * @throws CatalogueError
 */
export function parseCatalogue(path: string, text: string): ToolCatalogue {
  const [head = '', ...lines] = text.split('\n');
  checkHead(path, head);
  const tools: CatalogueTool[] = [];
  const seen = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const tool = readLine(line, `${path}:${at + 2}`);
    if (seen.has(tool.name)) throw new CatalogueError(`${path}:${at + 2}: the name "${tool.name}" is taken already`);
    seen.add(tool.name);
    tools.push(tool);
  }
  return createCatalogue(tools);
}

function checkHead(path: string, head: string): void {
  const written = /^\{"unroll_tools":\s*(\d+)/.exec(head)?.[1];
  if (written === undefined) {
    throw new CatalogueError(`${path} is no catalogue of tools; make one: flow tools build <file> --out <name>.tools`);
  }
  if (Number(written) === format) return;
  throw new CatalogueError(`${path} has format ${written}, this version reads ${format}; build it again`);
}

function readLine(line: string, place: string): CatalogueTool {
  const value = parsed(line, place);
  const name = isMapping(value) ? textOf(value['name']) : '';
  const tool = describedTool(value);
  if (typeof tool === 'string') throw new CatalogueError(`${place}: ${tool}`);
  if (!isCanonicalName(name)) throw new CatalogueError(`${place}: "${name}" is no name a model may be told`);
  return { ...tool, name };
}

function parsed(line: string, place: string): JsonValue {
  try {
    return parseJson(line);
  } catch {
    throw new CatalogueError(`${place}: no JSON`);
  }
}
