import type { NodeStatus, RowRun } from '@unroll/engine';

/** As numbers in columns; `none`: no record of the node. */
const statusNames = ['Completed', 'Bypassed', 'Failed', 'Canceled', 'NotRun'] as const satisfies readonly NodeStatus[];
export const noStatus = 255;

export function statusNumber(status: NodeStatus): number {
  return statusNames.indexOf(status);
}

function statusName(number: number): NodeStatus | undefined {
  return statusNames[number];
}

export function rowStatusName(number: number): RowRun['status'] {
  return statusName(number) as RowRun['status'];
}

type Column = Int32Array | Uint8Array | Float64Array;

/** The same values in a column twice as long. */
function doubled<C extends Column>(column: C): C {
  const longer = new (column.constructor as new (length: number) => C)(column.length * 2);
  longer.set(column);
  return longer;
}

/** Numbers of rows one after the other, as many as there will be. */
export class GrowingColumns<Columns extends Readonly<Record<string, Column>>> {
  columns: Columns;
  size = 0;
  private readonly empty: Partial<Record<keyof Columns, number>>;

  /** @param empty what stands where nothing was written, 0 where it is not said */
  constructor(columns: Columns, empty: Partial<Record<keyof Columns, number>> = {}) {
    this.columns = columns;
    this.empty = empty;
    for (const name of Object.keys(empty)) columns[name]?.fill(empty[name as keyof Columns] ?? 0);
  }

  /** Makes room for one more. @returns its place */
  add(): number {
    const first = Object.values(this.columns)[0];
    if (first !== undefined && this.size === first.length) this.grow();
    this.size += 1;
    return this.size - 1;
  }

  private grow(): void {
    const { size } = this;
    const longer = Object.entries(this.columns).map(([name, column]) => {
      const grown = doubled(column);
      const fill = this.empty[name as keyof Columns];
      if (fill !== undefined) grown.fill(fill, size);
      return [name, grown] as const;
    });
    this.columns = Object.fromEntries(longer) as unknown as Columns;
  }
}
