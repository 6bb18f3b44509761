import {
  nameTools,
  type ReadTools,
  readMcpTools,
  readTools,
  stringifyCatalogue,
  type ToolMistake,
} from '@unroll/nodes/tool-catalogue';
import { ProjectFailure, readTextFile, writeOutputFile } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { BuildToolsSettings } from '../../options/tools-options.ts';
import { createStyle, type Style, usesColor } from '../../text/style.ts';
import { type ToldQueries, withMadeQueries } from './made-queries.ts';

/** Mistakes told one by one; of more, how many. */
const mostTold = 20;

/** `flow tools build`: one catalogue of the tools that files describe. */
export async function build(settings: BuildToolsSettings, io: Io): Promise<number> {
  const out = settings.out;
  if (out === undefined) {
    const help = 'for instance: flow tools build api.yaml --out shop.tools';
    throw new ProjectFailure('no file to write is named', { help });
  }
  const isQuiet = settings.quiet || settings.json;
  const servers = await readServers(settings.mcp, io, isQuiet);
  const read = [...settings.files.map((file) => readFile(file, io, isQuiet)), ...servers];
  const named = nameTools(read.flatMap(({ tools }) => tools));
  const mistakes = [...read.flatMap((one) => one.mistakes), ...named.mistakes];
  const isWritten = named.tools.length > 0 && (mistakes.length === 0 || settings.allowMistakes);
  const { tools, told, isStopped } = await withMadeQueries(isWritten ? named.tools : [], out, settings, io);
  if (isStopped === true) return exitCode.interrupted;
  if (isWritten) writeOutputFile(out, stringifyCatalogue(tools), io);
  const renamed = named.tools.filter(({ name, own }) => name !== own).length;
  const report = {
    ok: isWritten,
    out: isWritten ? out : null,
    tools: named.tools.length,
    renamed,
    mistakes,
    ...(told === undefined ? {} : { queries: told }),
  };
  if (settings.json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else tellReport(report, io, createStyle(usesColor(io.stderr, io, settings.color)));
  return isWritten ? endingOf(told) : exitCode.wrong;
}

/** A catalogue in which a tool lacks its queries is one all the same. */
function endingOf(told: ToldQueries | undefined): number {
  return told === undefined || told.failed === 0 ? exitCode.done : exitCode.failed;
}

interface Report {
  readonly out: string | null;
  readonly tools: number;
  readonly renamed: number;
  readonly mistakes: readonly ToolMistake[];
}

function tellReport({ out, tools, renamed, mistakes }: Report, io: Io, style: Style): void {
  for (const { place, message } of mistakes.slice(0, mostTold)) {
    io.stderr.write(`${style.name(place)}: ${style.bad('error')} ${message}\n`);
  }
  if (mistakes.length > mostTold) io.stderr.write(`… and ${mistakes.length - mostTold} more\n`);
  if (out !== null) {
    const others = renamed === 0 ? '' : `, ${renamed} under another name than their own`;
    io.stdout.write(`${out}: ${counted(tools, 'tool')}${others}\n`);
    return;
  }
  const reason = mistakes.length > 0 ? '; --allow-mistakes leaves out what is wrong' : ': the files describe no tools';
  io.stderr.write(`nothing was written${reason}\n`);
}

function readFile(file: string, io: Io, isQuiet: boolean): ReadTools {
  const read = readTools({ path: file, text: readTextFile(file, io) });
  if (!isQuiet) io.stderr.write(`${file}: ${counted(read.tools.length, 'tool')}\n`);
  return read;
}

/** `name=address`, or `name=command and arguments`; one after another. */
async function readServers(given: readonly string[], io: Io, isQuiet: boolean): Promise<readonly ReadTools[]> {
  const found: ReadTools[] = [];
  for (const written of given) {
    const [, name, target] = /^([\w-]+)=(.+)$/s.exec(written) ?? [];
    if (name === undefined || target === undefined) {
      const help = 'for instance --mcp "docs=npx -y my-docs-server" or --mcp shop=https://shop.example/mcp';
      throw new ProjectFailure(`--mcp takes <name>=<address or command>, not "${written}"`, { help });
    }
    const read = await readMcpTools({ name, target, folder: io.folder });
    if (!isQuiet) io.stderr.write(`${name}: ${counted(read.tools.length, 'tool')}\n`);
    found.push(read);
  }
  return found;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
