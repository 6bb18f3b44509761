import { didYouMean, type JsonValue, stringifyJson } from '@unroll/engine';
import type { CatalogueTool } from '@unroll/nodes/tool-catalogue';
import { ProjectFailure } from '@unroll/project';
import { openTools } from '@unroll/project/tool-catalogues';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { ToolsInfoSettings } from '../../options/tools-options.ts';
import { styleOf } from '../../text/style.ts';
import { table } from '../../text/table.ts';

const maxOwners = 20;

/** `flow tools info`: what a catalogue holds, or all of one tool. */
export async function info(settings: ToolsInfoSettings, io: Io): Promise<number> {
  const { catalogue: path, tool: name } = settings;
  const { catalogue } = openTools(path, io);
  if (name !== undefined) {
    const tool = catalogue.find(name);
    if (tool === undefined) {
      const help = didYouMean(
        name,
        catalogue.tools.map((one) => one.name),
      );
      throw new ProjectFailure(`${path} has no tool "${name}"`, { help, code: 'ToolNotFound' });
    }
    io.stdout.write(`${stringifyJson(tool as unknown as JsonValue, 2)}\n`);
    return exitCode.done;
  }
  const owners = [...Map.groupBy(catalogue.tools, ({ group }) => group)]
    .map(([owner, tools]) => ({ owner, tools: tools.length }))
    .sort((one, other) => other.tools - one.tools || (one.owner < other.owner ? -1 : 1));
  const facts = { tools: catalogue.tools.length, owners: owners.length, ...shortfalls(catalogue.tools) };
  if (settings.json) {
    io.stdout.write(`${JSON.stringify({ ...facts, byOwner: owners }, null, 2)}\n`);
    return exitCode.done;
  }
  const style = styleOf(io.stdout, io, settings.color);
  io.stdout.write(
    `${facts.tools} tools of ${facts.owners} owners; ${facts.withoutDescription} without a description\n\n`,
  );
  const rows = owners
    .slice(0, maxOwners)
    .map(({ owner, tools }) => [{ text: String(tools) }, { text: owner || '(none)' }]);
  io.stdout.write(table([{ title: 'tools', isNumber: true }, { title: 'owner' }], rows, style.dim));
  if (owners.length > maxOwners) io.stdout.write(`… and ${owners.length - maxOwners} more (--json lists all)\n`);
  return exitCode.done;
}

function shortfalls(tools: readonly CatalogueTool[]): { readonly withoutDescription: number } {
  return { withoutDescription: tools.filter(({ description }) => description.trim() === '').length };
}
