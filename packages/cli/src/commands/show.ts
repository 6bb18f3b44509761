import { type NodeRun, openSqliteRunStore, type RowRun, type RunStore } from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf, wholeNumberOf } from '../option-values.ts';
import { nodeText } from '../reporters/node-text.ts';
import { rowText } from '../reporters/row-text.ts';
import { nodeResult, printResult, runResult } from '../runs/run-result.ts';
import { findRun, runsFolder } from '../runs/runs-folder.ts';
import { selectNodes } from '../runs/select-nodes.ts';
import { shownPath } from '../text/shown-path.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow show`: what became of a run, of one row of it, or of one node. */
export async function show({ arguments: given, options, io }: CommandCall): Promise<number> {
  const path = findRun(given[0], runsFolder(options, io), io);
  await using store = openSqliteRunStore(path);
  const line = wholeNumberOf(options, 'row', 0) ?? firstLine(store);
  const row = rowOf(store, line);
  const nodes = nodesInOrder(store, line);
  const wanted = textOf(options, 'node');
  const selected = wanted === undefined ? undefined : selectNodes(wanted, nodes, store.info);
  const record = { id: store.info.id, path: shownPath(path, io.folder) };
  if (options['json'] === true) {
    const result = runResult(row, nodes, store.metrics(), record);
    if (selected === undefined) io.stdout.write(printResult(result));
    else
      io.stdout.write(
        printResult({ ...result, nodes: Object.fromEntries(selected.map((node) => [node.node, nodeResult(node)])) }),
      );
    return exitCode.done;
  }
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  const columns = io.stdout.columns ?? 100;
  if (selected === undefined) io.stdout.write(rowText({ store, row, nodes, record, style, columns }));
  else io.stdout.write(selected.map((node) => nodeText(node, style)).join('\n'));
  return exitCode.done;
}

function firstLine(store: RunStore): number {
  for (const row of store.rows()) return row.line;
  return 0;
}

function rowOf(store: RunStore, line: number): RowRun {
  const row = store.row(line);
  if (row !== undefined) return row;
  const lines = [...store.rows()].map((other) => other.line);
  if (lines.length === 0) {
    throw new CommandFailure(`run ${store.info.id} has no finished row: it is still running, or was ended by force`);
  }
  throw new CommandFailure(`run ${store.info.id} has no row ${line}`, {
    help: `It has ${lines.length === 1 ? `row ${lines[0]}` : `rows ${lines[0]} to ${lines.at(-1)}`}.`,
  });
}

/** Records in the order of the flow, not of their ends. */
function nodesInOrder(store: RunStore, line: number): readonly NodeRun[] {
  const order = new Map(store.info.nodes.map(({ name }, index) => [name, index]));
  return store.nodes(line).toSorted((left, right) => (order.get(left.node) ?? 0) - (order.get(right.node) ?? 0));
}
