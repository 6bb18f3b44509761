import type { Paint } from './style.ts';
import { padWidth, textWidth } from './width.ts';

export interface Column {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

export interface Cell {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

/** Rows under their titles, as wide as their widest cell; a column with nothing in it is left out. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], dim: Paint): string {
  const shown = columns
    .map((column, index) => ({ ...column, cells: rows.map((row) => row[index] ?? { text: '' }) }))
    .filter(({ cells }) => cells.some(({ text }) => text !== ''))
    .map((column) => ({
      ...column,
      width: Math.max(textWidth(column.title), ...column.cells.map(({ text }) => textWidth(text))),
    }));
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
