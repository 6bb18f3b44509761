import type { ToolMistake } from '@unroll/nodes/tool-catalogue';
import { ProjectFailure } from '@unroll/project';
import { buildTools, type MadeToolQueries, type ToolBuild, type ToolServer } from '@unroll/project/tool-catalogues';
import { formatCost } from '@unroll/project/words';
import { exitCode } from '../../exit-code.ts';
import { heardSystem } from '../../heard-system.ts';
import type { Io } from '../../io.ts';
import type { BuildToolsSettings } from '../../options/tools-options.ts';
import { type Style, styleOf } from '../../text/style.ts';

/** Mistakes told one by one; of more, how many. */
const maxReported = 20;
const queriesByDefault = 10;

/** `flow tools build`: one catalogue of the tools that files describe. */
export async function build(settings: BuildToolsSettings, io: Io): Promise<number> {
  const { out, files, allowMistakes, json } = settings;
  if (out === undefined) {
    const help = 'for instance: flow tools build api.yaml --out shop.tools';
    throw new ProjectFailure('no file to write is named', { help });
  }
  const isQuiet = settings.quiet || json;
  const asked = { files, servers: settings.mcp.map(serverOf), allowMistakes, ...queriesOf(settings) };
  const { clear, ...following } = followed(isQuiet, io);
  const built = await buildTools(out, asked, following, heardSystem(settings, io)).finally(clear);
  const queries = built.queries === undefined ? undefined : queryFigures(built.queries);
  if (built.queries !== undefined && queries !== undefined && !isQuiet) reportQueries(built.queries, queries, io);
  if (built.isStopped) return exitCode.interrupted;
  if (json) io.stdout.write(`${JSON.stringify(reportOf(out, built, queries), null, 2)}\n`);
  else reportBuild(out, built, io, styleOf(io.stderr, io, settings.color));
  if (!built.isWritten) return exitCode.wrong;
  // A catalogue in which a tool lacks its queries is one all the same.
  return queries === undefined || queries.failed === 0 ? exitCode.done : exitCode.failed;
}

function queriesOf({ queriesBy: connection, model, queriesEach, connectionsFile }: BuildToolsSettings) {
  if (connection === undefined) return {};
  return { queries: { connection, model, count: queriesEach ?? queriesByDefault, connectionsFile } };
}

/** `name=address`, or `name=command and arguments`. */
function serverOf(written: string): ToolServer {
  const [, name, target] = /^([\w-]+)=(.+)$/s.exec(written) ?? [];
  if (name !== undefined && target !== undefined) return { name, target };
  const help = 'for instance --mcp "docs=npx -y my-docs-server" or --mcp shop=https://shop.example/mcp';
  throw new ProjectFailure(`--mcp takes <name>=<address or command>, not "${written}"`, { help });
}

function followed(isQuiet: boolean, io: Io): Parameters<typeof buildTools>[2] & { readonly clear: () => void } {
  const isLive = !isQuiet && io.stderr.isTerminal === true;
  let isDrawn = false;
  return {
    signal: io.interruption(),
    onRead: (place, tools) => {
      if (!isQuiet) io.stderr.write(`${place}: ${counted(tools, 'tool')}\n`);
    },
    onQueries: ({ done, total }) => {
      if (isLive) io.stderr.control(`\r${done} of ${total} tools`);
      isDrawn = isLive;
    },
    clear: () => {
      if (isDrawn) io.stderr.control('\r\u001b[K');
    },
  };
}

function reportOf(out: string, { isWritten, tools, renamed, mistakes }: ToolBuild, queries?: QueryFigures) {
  const written = { ok: isWritten, out: isWritten ? out : null, tools, renamed, mistakes };
  return queries === undefined ? written : { ...written, queries };
}

function reportBuild(out: string, { isWritten, tools, renamed, mistakes }: ToolBuild, io: Io, style: Style): void {
  reportMistakes(mistakes, io, style);
  if (isWritten) {
    const others = renamed === 0 ? '' : `, ${renamed} under another name than their own`;
    io.stdout.write(`${out}: ${counted(tools, 'tool')}${others}\n`);
    return;
  }
  const reason = mistakes.length > 0 ? '; --allow-mistakes leaves out what is wrong' : ': the files describe no tools';
  io.stderr.write(`nothing was written${reason}\n`);
}

function reportMistakes(mistakes: readonly ToolMistake[], io: Io, style: Style): void {
  for (const { place, message } of mistakes.slice(0, maxReported)) {
    io.stderr.write(`${style.name(place)}: ${style.bad('error')} ${message}\n`);
  }
  if (mistakes.length > maxReported) io.stderr.write(`… and ${mistakes.length - maxReported} more\n`);
}

/** What was asked and what it took, for `--json`. */
interface QueryFigures {
  readonly asked: number;
  /** Tools that had been asked for before. */
  readonly known: number;
  readonly failed: number;
  readonly tokens: number;
  /** null where the model has no known price. */
  readonly dollars: number | null;
}

function queryFigures({ asked, known, failures, usage, dollars }: MadeToolQueries): QueryFigures {
  const isFree = usage === undefined;
  return {
    asked,
    known,
    failed: failures.length,
    tokens: usage?.totalTokens ?? 0,
    dollars: isFree ? 0 : (dollars ?? null),
  };
}

function reportQueries({ failures }: MadeToolQueries, { asked, known, tokens, dollars }: QueryFigures, io: Io): void {
  const cost = dollars === null ? 'at a price that is not known' : formatCost(dollars, false);
  io.stderr.write(
    `queries: ${asked} tools asked, ${known} known already, ${tokens.toLocaleString('en')} tokens, ${cost}\n`,
  );
  const [first] = failures;
  if (first === undefined) return;
  const others = failures.length === 1 ? '' : ` (and ${failures.length - 1} more)`;
  io.stderr.write(`queries: none for ${first.tool}${others}: ${first.error.message}; the same command goes on\n`);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
