import { type DataRow, didYouMean, type JsonObject, keepsDefault, type Plan } from '@unroll/engine';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { columnReference, mappingText } from './mapping-text.ts';
import type { RowMapping } from './row-mapping.ts';

/** Rows that a warning names. */
const maxNamed = 5;

/**
 * The same rows. Once the last was read, or no more are wanted, a warning tells each column that some of them have and others have not, where
 * that decides between column and default in silence: one warning a column, with how many rows and the first of them. Keeps nothing of a row.
 */
export async function* withColumnsWatched(
  rows: AsyncIterable<DataRow>,
  { inputs }: Plan,
  { mapping, optional, areMissingReported }: RowMapping,
  settings: Pick<BulkSettings, 'isMappingInFile'>,
  host: Pick<ProjectHost, 'report'>,
): AsyncGenerator<DataRow, void> {
  const names = new Set(inputs.map(({ name }) => name));
  const columns = inputs
    .filter((input) => optional.has(input.name) || (keepsDefault(input) && !Object.hasOwn(mapping, input.name)))
    .map(({ name }) => new WatchedColumn(name, names));
  try {
    for await (const row of rows) {
      if ('values' in row) for (const column of columns) column.see(row.line, row.values);
      yield row;
    }
  } finally {
    for (const column of columns) {
      const message = optional.has(column.name)
        ? column.missingText(areMissingReported)
        : column.passedOverText(settings);
      if (message !== undefined) notify(host, { kind: 'warning', message });
    }
  }
}

/** Rows of one kind: how many, and the first of them. */
class CountedRows {
  readonly #first: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(line: number): void {
    this.#count += 1;
    if (this.#first.length < maxNamed) this.#first.push(line);
  }

  /** `row 3`, `rows 3, 5 and 7`, `rows 1, 2, 3, 4, 5 and 12 more`. */
  text(): string {
    const more = this.#count - this.#first.length;
    const named = [...this.#first.map(String), ...(more === 0 ? [] : [`${more} more`])];
    const last = named.pop() ?? '';
    return named.length === 0 ? `row ${last}` : `rows ${named.join(', ')} and ${last}`;
  }
}

class WatchedColumn {
  readonly name: string;
  readonly #inputs: ReadonlySet<string>;
  readonly #with = new CountedRows();
  readonly #without = new CountedRows();
  #isInFirst: boolean | undefined;
  #likely: string | undefined;

  constructor(name: string, inputs: ReadonlySet<string>) {
    this.name = name;
    this.#inputs = inputs;
  }

  see(line: number, values: JsonObject): void {
    const isThere = Object.hasOwn(values, this.name);
    this.#isInFirst ??= isThere;
    (isThere ? this.#with : this.#without).add(line);
    if (isThere || this.#without.count > maxNamed) return;
    this.#likely ??= didYouMean(
      this.name,
      Object.keys(values).filter((name) => !this.#inputs.has(name)),
    );
  }

  /** Undefined where all rows are alike: that none has it is told of the first. */
  missingText(areMissingReported: boolean): string | undefined {
    const isDoubtful = this.#with.count > 0 || (this.#likely !== undefined && !areMissingReported);
    if (this.#without.count === 0 || !isDoubtful) return undefined;
    const likely = this.#likely === undefined ? '' : `\n      ${this.#likely}`;
    return `${this.#without.text()} of the data: no column "${this.name}", so the flow's own default is used${likely}`;
  }

  /** Undefined where the first row tells it. */
  passedOverText(settings: Pick<BulkSettings, 'isMappingInFile'>): string | undefined {
    if (this.#with.count === 0 || this.#isInFirst === true) return undefined;
    return (
      `${this.#with.text()} of the data: the flow's own default is used for "${this.name}", not the column of that name\n` +
      `      to use the column in all rows: ${mappingText({ [this.name]: columnReference(this.name) }, settings)}`
    );
  }
}
