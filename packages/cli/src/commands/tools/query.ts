import { openToolSearch } from '@unroll/project/tool-catalogues';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { QueryToolsSettings } from '../../options/tools-options.ts';
import { styleOf } from '../../text/style.ts';
import { table } from '../../text/table.ts';

/** `flow tools query`: the tools that a request may need, best first. */
export async function query(settings: QueryToolsSettings, io: Io): Promise<number> {
  const { catalogue, query: text, ranking = 'features', top = 5, retriever, category: categories } = settings;
  const hits = openToolSearch(catalogue, { categories, ranking, retriever }, io).find(text, top);
  if (settings.json) {
    const found = hits.map(({ tool: { name, own, group, category, description }, score }) => ({
      name,
      api: own,
      tool: group,
      category,
      description,
      score,
    }));
    io.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    return exitCode.done;
  }
  if (hits.length === 0) {
    io.stdout.write('no tool shares a word with this request\n');
    return exitCode.done;
  }
  const style = styleOf(io.stdout, io, settings.color);
  const columns = [{ title: 'score', isNumber: true }, { title: 'name' }, { title: 'description' }];
  const rows = hits.map(({ tool, score }) => [
    { text: score.toFixed(2) },
    { text: tool.name, paint: style.name },
    { text: firstLine(tool.description) },
  ]);
  io.stdout.write(table(columns, rows, style.dim));
  return exitCode.done;
}

const longestShown = 72;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > longestShown ? `${line.slice(0, longestShown - 1)}…` : line;
}
