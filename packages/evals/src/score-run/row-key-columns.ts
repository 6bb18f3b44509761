import { printJson, type ReadRow, type Value, type Values } from '@unroll/engine';
import type { EvalResult } from './eval-result.ts';

/** Gathers what each row is known by: the value of its column, or of the input of that name; rows without one have none. */
export class RowKeyColumns {
  private readonly lines: number[] = [];
  private readonly values: string[] = [];
  private readonly name: string | undefined;

  constructor(name: string | undefined) {
    this.name = name;
  }

  take({ line, inputs = {} }: Pick<ReadRow, 'line' | 'inputs'>, columns: Values): void {
    if (this.name === undefined || line === this.lines.at(-1)) return;
    const value: Value = columns[this.name] ?? inputs[this.name] ?? null;
    if (value === null) return;
    this.lines.push(line);
    this.values.push(typeof value === 'string' ? value : printJson(value));
  }

  result(): Pick<EvalResult, 'keys'> {
    return this.name === undefined ? {} : { keys: { name: this.name, lines: this.lines, values: this.values } };
  }
}
