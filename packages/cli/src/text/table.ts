import { fitWidth, padWidth, textWidth } from '@unroll/engine/text-width';
import type { Paint } from './style.ts';

export interface Column {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

export interface Cell {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

/**
 * Rows under their titles, as wide as their widest cell; a column with nothing in it is left out.
 *
 * @param widest cells of a terminal: where the table is wider, its first column is cut, to 12 cells at most
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  dim: Paint,
  widest = Number.POSITIVE_INFINITY,
): string {
  const whole = columnsShown(columns, rows);
  const excess = whole.reduce((sum, { width }) => sum + width + 2, -2) - widest;
  const [first] = whole;
  const shown = excess <= 0 || first === undefined ? whole : [cut(first, first.width - excess), ...whole.slice(1)];
  const aligned = (text: string, width: number, isNumber: boolean | undefined): string =>
    isNumber === true ? ' '.repeat(Math.max(0, width - textWidth(text))) + text : padWidth(text, width);
  const head = dim(
    shown
      .map(({ title, width, isNumber }) => aligned(title, width, isNumber))
      .join('  ')
      .trimEnd(),
  );
  const body = rows.map((_, at) => {
    const last = shown.length - 1;
    return shown
      .map(({ cells, width, isNumber }, index) => {
        const { text, paint } = cells[at] ?? { text: '' };
        const padded = index === last && isNumber !== true ? text : aligned(text, width, isNumber);
        return paint === undefined || text === '' ? padded : padded.replace(text, () => paint(text));
      })
      .join('  ')
      .trimEnd();
  });
  return [head, ...body].map((line) => `${line}\n`).join('');
}

interface ShownColumn extends Column {
  readonly cells: readonly Cell[];
  readonly width: number;
}

function columnsShown(columns: readonly Column[], rows: readonly (readonly Cell[])[]): readonly ShownColumn[] {
  return columns
    .map((column, index) => ({ ...column, cells: rows.map((row) => row[index] ?? { text: '' }) }))
    .filter(({ cells }) => cells.some(({ text }) => text !== ''))
    .map((column) => ({
      ...column,
      width: Math.max(textWidth(column.title), ...column.cells.map(({ text }) => textWidth(text))),
    }));
}

const narrowest = 12;

function cut(column: ShownColumn, wanted: number): ShownColumn {
  const width = Math.min(column.width, Math.max(narrowest, wanted));
  return { ...column, width, cells: column.cells.map((cell) => ({ ...cell, text: fitWidth(cell.text, width) })) };
}
