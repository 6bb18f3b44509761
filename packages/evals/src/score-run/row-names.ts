import { type JsonObject, type RowView, textOrJson } from '@unroll/engine';
import type { EvalResult } from '../eval-result/eval-result.ts';
import { ownMember } from '../targets/target.ts';

/** Gathers which rows there are and what each is known by: the value of a column, or of the input of that name. */
export class RowNames {
  private readonly lines: number[] = [];
  private readonly keyed: number[] = [];
  private readonly values: string[] = [];
  private readonly key: string | undefined;

  constructor(key: string | undefined) {
    this.key = key;
  }

  /** Rows come in order; repetitions of one are one. */
  take(row: Pick<RowView, 'line' | 'inputs'>, columns: JsonObject = {}): void {
    const { line } = row;
    if (line === this.lines.at(-1)) return;
    this.lines.push(line);
    const value =
      this.key === undefined ? null : (ownMember(columns, this.key) ?? ownMember(row.inputs, this.key) ?? null);
    if (value === null) return;
    this.keyed.push(line);
    this.values.push(textOrJson(value));
  }

  result(): Pick<EvalResult, 'lines' | 'keys'> {
    const { key, lines, keyed, values } = this;
    return { lines, ...(key === undefined ? {} : { keys: { name: key, lines: keyed, values } }) };
  }
}
