import { fitWidth, textWidth } from '@unroll/engine/text-width';
import type { Cell, Column } from '../text/table.ts';

/** A column that may give way where the terminal is narrow. */
export interface NarrowColumn extends Column {
  /** Cells it is cut to, at least; a column without it keeps its width. */
  readonly least?: number;
  /** The first to go where cutting is not enough; a column without it stays. */
  readonly leavesAt?: number;
}

interface SizedColumn extends NarrowColumn {
  readonly cells: readonly Cell[];
}

const gap = 2;

/**
 * Columns and rows of a table that fit `width` cells: long texts are cut with `…`, widest column first, then columns that
 * can be missed are left out.
 */
export function narrowed(
  columns: readonly NarrowColumn[],
  rows: readonly (readonly Cell[])[],
  width: number,
): { readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[] } {
  let shown: readonly SizedColumn[] = columns
    .map((column, at) => ({ ...column, cells: rows.map((row) => row[at] ?? { text: '' }) }))
    .filter(({ cells }) => cells.some(({ text }) => text !== ''));
  while (leastWidth(shown) > width) {
    const leaving = shown.filter(({ leavesAt }) => leavesAt !== undefined);
    if (leaving.length === 0) break;
    const first = leaving.reduce((one, other) => ((other.leavesAt ?? 0) < (one.leavesAt ?? 0) ? other : one));
    shown = shown.filter((column) => column !== first);
  }
  const cut = cutTo(shown, width);
  return { columns: cut, rows: rows.map((_, row) => cut.map(({ cells }) => cells[row] ?? { text: '' })) };
}

function cutTo(columns: readonly SizedColumn[], width: number): readonly SizedColumn[] {
  const sizes = columns.map(widthOf);
  const isCuttable = (at: number): boolean => (sizes[at] ?? 0) > (columns[at]?.least ?? Number.POSITIVE_INFINITY);
  while (total(sizes) > width) {
    const cuttable = sizes.map((_, at) => at).filter(isCuttable);
    if (cuttable.length === 0) break;
    const widest = cuttable.reduce((one, other) => ((sizes[other] ?? 0) > (sizes[one] ?? 0) ? other : one));
    sizes[widest] = (sizes[widest] ?? 0) - 1;
  }
  return columns.map((column, at) => {
    const cells = column.cells.map(({ text, ...cell }) => ({ ...cell, text: fitWidth(text, sizes[at] ?? 0) }));
    return { ...column, cells };
  });
}

function widthOf({ title, cells }: SizedColumn): number {
  return Math.max(textWidth(title), ...cells.map(({ text }) => textWidth(text)));
}

function leastWidth(columns: readonly SizedColumn[]): number {
  return total(columns.map((column) => Math.min(widthOf(column), column.least ?? Number.POSITIVE_INFINITY)));
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0) + gap * Math.max(0, sizes.length - 1);
}
