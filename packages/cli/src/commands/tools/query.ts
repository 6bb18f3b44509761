import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { QueryToolsSettings } from '../../options/tools-options.ts';
import { createStyle, usesColor } from '../../text/style.ts';
import { table } from '../../text/table.ts';
import { openCategories, openTools, openTrained } from './open-tools.ts';

/** `flow tools query`: the tools that a request may need, best first. */
export async function query(settings: QueryToolsSettings, io: Io): Promise<number> {
  const { catalogue: path, query: text, ranking = 'features', top: count = 5 } = settings;
  const { retriever: trained, category: categories } = settings;
  const whole = openTools(path, io);
  const opened = openCategories(whole, categories);
  const retriever =
    trained === undefined ? opened.retriever(ranking) : openTrained(trained, whole.catalogue, opened.catalogue, io);
  const hits = retriever.find(text, count);
  if (settings.json) {
    const told = hits.map(({ tool: { name, own, group, category, description }, score }) => ({
      name,
      api: own,
      tool: group,
      category,
      description,
      score,
    }));
    io.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
    return exitCode.done;
  }
  if (hits.length === 0) {
    io.stdout.write('no tool shares a word with this request\n');
    return exitCode.done;
  }
  const style = createStyle(usesColor(io.stdout, io, settings.color));
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
