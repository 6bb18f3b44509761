import { type JsonObject, type JsonValue, type RowView, textOrJson } from '@unroll/engine';
import type { EvalResult } from '../eval-result/eval-result.ts';

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
  take(row: Pick<RowView, 'line' | 'inputs'>, columns: JsonObject): void {
    const { line } = row;
    if (line === this.lines.at(-1)) return;
    this.lines.push(line);
    const value: JsonValue = this.key === undefined ? null : (columns[this.key] ?? row.inputs[this.key] ?? null);
    if (value === null) return;
    this.keyed.push(line);
    this.values.push(textOrJson(value));
  }

  result(): Pick<EvalResult, 'lines' | 'keys'> {
    const { key, lines, keyed, values } = this;
    return { lines, ...(key === undefined ? {} : { keys: { name: key, lines: keyed, values } }) };
  }
}
