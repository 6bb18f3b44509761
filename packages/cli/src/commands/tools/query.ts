import type { Ranking } from '@unroll/nodes/tool-catalogue';
import type { CommandCall } from '../../command-spec.ts';
import { exitCode } from '../../exit-code.ts';
import { textOf, wholeNumberOf } from '../../option-values.ts';
import { createStyle, usesColor } from '../../text/style.ts';
import { table } from '../../text/table.ts';
import { openTools, openTrained } from './open-tools.ts';

/** `flow tools query`: the tools that a request may need, best first. */
export async function query({ arguments: [path, text = ''], options, io }: CommandCall): Promise<number> {
  const ranking = (textOf(options, 'ranking') ?? 'features') as Ranking;
  const count = wholeNumberOf(options, 'top', 1) ?? 5;
  const opened = openTools(path, io);
  const trained = textOf(options, 'retriever');
  const retriever = trained === undefined ? opened.retriever(ranking) : openTrained(trained, opened.catalogue, io);
  const hits = retriever.find(text, count);
  if (options['json'] === true) {
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
  const style = createStyle(usesColor(io.stdout, io, options['color']));
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
