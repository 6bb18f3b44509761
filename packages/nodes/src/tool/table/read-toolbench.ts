import { type Diagnostic, didYouMean, type FlowFiles } from '@unroll/engine';
import { missingFile, mistake, type Path } from '../../errors/mistake-in-file.ts';
import { CatalogueError } from '../../tool-catalogue/catalogue-file.ts';
import type { CatalogueTool } from '../../tool-catalogue/catalogue-tool.ts';
import { openCatalogue } from '../../tool-catalogue/open-catalogue.ts';
import type { ToolDefinition } from './tool-definition.ts';
import type { WrittenEntry } from './tool-schema.ts';
import type { WrittenTools } from './written-tools.ts';

type Locate = (path: Path) => ReturnType<WrittenTools['locate']>;

export interface ReadToolbench {
  readonly tools: readonly Omit<ToolDefinition, 'timeoutMs' | 'maxBytes'>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The APIs of a catalogue that a virtual API server answers for: all, or those named by the catalogue's names. */
export function readToolbench(
  entry: WrittenEntry<'toolbench'>,
  locate: Locate,
  files: Pick<FlowFiles, 'read' | 'list' | 'resolve'>,
): ReadToolbench {
  const path = files.resolve(entry.catalogue);
  if (path === undefined || files.read(entry.catalogue) === undefined) {
    return { tools: [], diagnostics: [missingFile(entry.catalogue, locate(['catalogue']), files)] };
  }
  const opened = readCatalogue(path, entry.catalogue);
  if (typeof opened === 'string') {
    return { tools: [], diagnostics: [mistake('TOOL_CATALOGUE', opened, locate(['catalogue']))] };
  }
  const names = opened.map(({ name }) => name);
  const unknown = (entry.apis ?? []).filter((name) => !names.includes(name));
  const chosen = opened.filter(({ name }) => entry.apis?.includes(name) ?? true);
  return {
    tools: chosen.map((tool) => definitionOf(tool, entry)),
    diagnostics: unknown.map((name) =>
      mistake(
        'TOOL_UNKNOWN',
        `${entry.catalogue} has no tool "${name}"`,
        locate(['apis', entry.apis?.indexOf(name) ?? 0]),
        didYouMean(name, names) ?? `flow tools info ${entry.catalogue} tells what it has`,
      ),
    ),
  };
}

function readCatalogue(path: string, shown: string): readonly CatalogueTool[] | string {
  try {
    return openCatalogue(path, shown).catalogue.tools;
  } catch (error) {
    if (error instanceof CatalogueError) return error.message;
    throw error;
  }
}

function definitionOf(
  { name, own, group, category, description, parameters }: CatalogueTool,
  { toolbench, effects = 'reads' }: WrittenEntry<'toolbench'>,
): ReadToolbench['tools'][number] {
  const { url, connection } = toolbench;
  const place = { category, tool: group, api: own };
  return {
    name,
    description: description === '' ? own : description,
    parameters,
    effects,
    returnDirect: false,
    executor: { kind: 'toolbench', url, place, ...(connection === undefined ? {} : { connection }) },
  };
}
