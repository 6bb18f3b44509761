import {
  type CatalogueTool,
  nameTools,
  type ReadTools,
  readMcpTools,
  readTools,
  stringifyCatalogue,
  type ToolMistake,
} from '@unroll/nodes/tool-catalogue';
import { writeOutputFile } from '../host/output-file.ts';
import type { System } from '../host/project-host.ts';
import { readTextFile } from '../host/text-file.ts';
import { type MadeToolQueries, makeToolQueries, type ToolQueryProgress } from './make-tool-queries.ts';

/** A running MCP server. */
export interface ToolServer {
  readonly name: string;
  /** Its address, or the command that starts it. */
  readonly target: string;
}

export interface ToolBuildSettings {
  /** Files that describe tools, from the current folder. */
  readonly files: readonly string[];
  readonly servers: readonly ToolServer[];
  /** Whether what cannot be read is left out; nothing is written otherwise. */
  readonly allowMistakes: boolean;
  /**
   * A model that writes requests for each tool, which are searched too. They are kept beside the catalogue, in
   * `<out>.queries`: what was asked is not asked again, and a build that was stopped goes on.
   */
  readonly queries?: {
    readonly connection: string;
    readonly model?: string | undefined;
    /** So many a tool. */
    readonly count: number;
    readonly connectionsFile?: string | undefined;
  };
}

/** What is told while a catalogue is built. */
export interface ToolBuildFollowing {
  /** Aborted: what the model was asked is kept, and nothing is written. */
  readonly signal: AbortSignal;
  /** A file or server was read. */
  readonly onRead: (place: string, tools: number) => void;
  readonly onQueries: (progress: ToolQueryProgress) => void;
}

export interface ToolBuild {
  readonly isWritten: boolean;
  readonly isStopped: boolean;
  readonly tools: number;
  /** Tools that have another name in the catalogue than their own. */
  readonly renamed: number;
  readonly mistakes: readonly ToolMistake[];
  /** Of the model that was asked. */
  readonly queries?: MadeToolQueries;
}

/**
 * One catalogue of the tools that files describe.
 *
 * @param out the file to write, from the current folder
 * @throws ProjectFailure where a file cannot be read or written, or the connection is no model
 */
export async function buildTools(
  out: string,
  settings: ToolBuildSettings,
  { signal, onRead, onQueries }: ToolBuildFollowing,
  system: System,
): Promise<ToolBuild> {
  const servers: ReadTools[] = [];
  for (const { name, target } of settings.servers) {
    const read = await readMcpTools({ name, target, folder: system.folder });
    onRead(name, read.tools.length);
    servers.push(read);
  }
  const files = settings.files.map((path) => {
    const read = readTools({ path, text: readTextFile(path, system) });
    onRead(path, read.tools.length);
    return read;
  });
  const read = [...files, ...servers];
  const named = nameTools(read.flatMap(({ tools }) => tools));
  const mistakes = [...read.flatMap((one) => one.mistakes), ...named.mistakes];
  const found = {
    tools: named.tools.length,
    renamed: named.tools.filter(({ name, own }) => name !== own).length,
    mistakes,
  };
  if (named.tools.length === 0 || (mistakes.length > 0 && !settings.allowMistakes))
    return { ...found, isWritten: false, isStopped: false };
  if (settings.queries === undefined) {
    writeOutputFile(out, stringifyCatalogue(named.tools), system);
    return { ...found, isWritten: true, isStopped: false };
  }
  const asked = { ...settings.queries, kept: `${out}.queries` };
  const queries = await makeToolQueries(named.tools, asked, { signal, onProgress: onQueries }, system);
  const isStopped = signal.aborted;
  if (!isStopped) writeOutputFile(out, stringifyCatalogue(withQueries(named.tools, queries)), system);
  return { ...found, isWritten: !isStopped, isStopped, queries };
}

function withQueries(tools: readonly CatalogueTool[], { queries }: MadeToolQueries): readonly CatalogueTool[] {
  return tools.map((tool, at) => {
    const own = queries[at] ?? [];
    return own.length === 0 ? tool : { ...tool, queries: own };
  });
}
