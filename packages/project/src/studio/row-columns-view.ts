import type { RunInfo } from '@unroll/engine';
import type { RowColumn, RowLine } from '../studio-contract/contract.ts';
import type { RowContext } from './row-line.ts';

/** Columns of the table of rows, in the order in which they stand. */
export function rowColumns(
  info: RunInfo,
  rows: readonly RowLine[],
  { index, marks, scored }: RowContext,
): readonly RowColumn[] {
  const inputs = [
    ...new Set([
      ...info.nodes.flatMap(({ readsInputs = [] }) => readsInputs),
      ...rows.flatMap((row) => Object.keys(row.inputs)),
    ]),
  ];
  const outputs = (info.outputs ?? []).flatMap(({ name, isWhole }) => (isWhole === true ? [] : [name]));
  const known = outputs.length > 0 ? outputs : [...new Set(rows.flatMap((row) => Object.keys(row.outputs)))];
  const gated = new Set((scored?.result.metrics ?? []).flatMap(({ name, gate }) => (gate === undefined ? [] : [name])));
  const hasCost = [...index.nodes.values()].some(({ spent: { cost = 0 } }) => cost > 0);
  return [
    column('line', 'row', 'line', { isNumber: true, isSortable: true }),
    column('status', 'status', 'status', { isSortable: true }),
    ...inputs.map((name, at) => column(`input.${name}`, name, 'text', { isShown: at < 2 })),
    ...known.map((name, at) => column(`output.${name}`, name, 'text', { isShown: at < 1 })),
    ...(scored === undefined ? [] : [column('first-bad', 'first bad', 'node', { isSortable: true })]),
    ...[...index.loops.keys()].map((loop) =>
      column(`turns.${loop}`, index.loops.size === 1 ? 'turns' : `turns of ${loop}`, 'turns', {
        isSortable: true,
        isNumber: true,
      }),
    ),
    ...(scored?.result.metrics ?? []).map(({ name, unit }) => ({
      ...column(`score.${name}`, name, 'score', {
        isSortable: true,
        isNumber: true,
        isShown: gated.size === 0 || gated.has(name),
      }),
      ...(unit === undefined ? {} : { unit }),
    })),
    ...[...marks.labels.keys()].map((name) => column(`label.${name}`, `label ${name}`, 'label', {})),
    column('tokens', 'tokens', 'figure', { isSortable: true, isNumber: true }),
    column('cost', 'cost', 'figure', { isSortable: true, isNumber: true, isShown: hasCost }),
    column('ms', 'time', 'figure', { isSortable: true, isNumber: true }),
  ];
}

function column(
  id: string,
  title: string,
  kind: RowColumn['kind'],
  {
    isNumber = false,
    isSortable = false,
    isShown = true,
  }: Partial<Pick<RowColumn, 'isNumber' | 'isSortable' | 'isShown'>>,
): RowColumn {
  return { id, title, kind, isNumber, isSortable, isShown };
}
