import type { CatalogueTool } from '@unroll/nodes/tool-catalogue';
import type { MadeToolQueries } from '@unroll/project/tool-queries';
import type { Io } from '../../io.ts';
import type { BuildToolsSettings } from '../../options/tools-options.ts';

const eachByDefault = 10;

/** What was asked and what it took, for `--json`. */
export interface ToldQueries {
  readonly asked: number;
  /** Tools that had been asked for before. */
  readonly known: number;
  readonly failed: number;
  readonly tokens: number;
  /** null where the model has no known price. */
  readonly dollars: number | null;
}

interface WithQueries {
  readonly tools: readonly CatalogueTool[];
  readonly told?: ToldQueries;
  /** The user interrupted; what was asked is kept. */
  readonly isStopped?: boolean;
}

/**
 * The tools with the queries that a model makes for each, where one is named. They are kept beside the catalogue, in
 * `<name>.tools.queries`: what was asked is not asked again, and a build that was stopped goes on.
 */
export async function withMadeQueries(
  tools: readonly CatalogueTool[],
  out: string,
  {
    queriesBy: connection,
    model,
    queriesEach: count = eachByDefault,
    connectionsFile,
    quiet,
    json,
  }: BuildToolsSettings,
  io: Io,
): Promise<WithQueries> {
  if (connection === undefined || tools.length === 0) return { tools };
  const { makeToolQueries } = await import('@unroll/project/tool-queries');
  const isShown = !quiet && !json && io.stderr.isTerminal === true;
  const asked = { connection, model, count, kept: `${out}.queries`, connectionsFile };
  const following = {
    signal: io.interruption(),
    onProgress: ({ done, total }: { readonly done: number; readonly total: number }) => {
      if (isShown) io.stderr.control(`\r${done} of ${total} tools`);
    },
  };
  const made = await makeToolQueries(tools, asked, following, io);
  if (isShown) io.stderr.control('\r\u001b[K');
  const told = toldOf(made);
  if (!quiet && !json) tell(made, told, io);
  const { aborted: isStopped } = following.signal;
  return { tools: tools.map((tool, at) => withQueries(tool, made.queries[at] ?? [])), told, isStopped };
}

function withQueries(tool: CatalogueTool, queries: readonly string[]): CatalogueTool {
  return queries.length === 0 ? tool : { ...tool, queries };
}

function toldOf({ asked, known, failures, usage, dollars }: MadeToolQueries): ToldQueries {
  const isFree = usage === undefined;
  return {
    asked,
    known,
    failed: failures.length,
    tokens: usage?.totalTokens ?? 0,
    dollars: isFree ? 0 : (dollars ?? null),
  };
}

function tell({ failures }: MadeToolQueries, { asked, known, tokens, dollars }: ToldQueries, io: Io): void {
  const cost = dollars === null ? 'at a price that is not known' : `$${dollars.toFixed(4)}`;
  io.stderr.write(
    `queries: ${asked} tools asked, ${known} known already, ${tokens.toLocaleString('en')} tokens, ${cost}\n`,
  );
  const [first] = failures;
  if (first === undefined) return;
  const others = failures.length === 1 ? '' : ` (and ${failures.length - 1} more)`;
  io.stderr.write(`queries: none for ${first.tool}${others}: ${first.error.message}; the same command goes on\n`);
}
