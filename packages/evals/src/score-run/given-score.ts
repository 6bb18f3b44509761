import type { ReadRecord, ReadRow, Value, Values } from '@unroll/engine';
import type { Given, RowGiven, Turn } from '../evaluators/evaluator.ts';
import type { OutputReader } from '../targets/target.ts';

/** What a score is worked out from; values are read when an evaluator asks for them. */
export class GivenScore implements Given {
  readonly turns: readonly Turn[];
  readonly expected: Value | undefined;
  readonly reads: Given['reads'];
  readonly cost: Given['cost'];
  readonly row: RowGiven;

  constructor(
    turns: readonly Turn[],
    expected: Value | undefined,
    { reads, cost, row }: Pick<Given, 'reads' | 'cost' | 'row'>,
  ) {
    this.turns = turns;
    this.expected = expected;
    this.reads = reads;
    this.cost = cost;
    this.row = row;
  }

  /** Of several turns that of the last. */
  get value(): Value {
    return this.turns.at(-1)?.value ?? null;
  }
}

/** A turn of a family as it is recorded. */
export class ReadTurn implements Turn {
  readonly iteration: number;
  private readonly record: ReadRecord;
  private readonly reader: OutputReader;
  private known: Value | undefined;

  constructor(iteration: number, record: ReadRecord, reader: OutputReader) {
    this.iteration = iteration;
    this.record = record;
    this.reader = reader;
  }

  get value(): Value {
    this.known ??= this.reader.value(this.record);
    return this.known ?? null;
  }

  member(name: string): Value | undefined {
    return this.reader.member(this.record, name);
  }
}

/** Reads what went in and came out only for the evaluators that ask. */
export class GivenRow implements RowGiven {
  readonly data: Values;
  private readonly row: ReadRow;

  constructor(row: ReadRow, data: Values) {
    this.row = row;
    this.data = data;
  }

  get line(): number {
    return this.row.line;
  }

  get repeat(): number {
    return this.row.repeat;
  }

  get inputs(): Values {
    return this.row.inputs;
  }

  get outputs(): Values {
    return this.row.outputs;
  }
}
