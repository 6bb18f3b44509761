import type { JsonObject, JsonValue, RowView } from '@unroll/engine';
import type { AgentTurn, EvaluatorInput, RowGiven } from '../evaluators/evaluator.ts';
import type { OutputReader } from '../targets/target.ts';

/** What a score is worked out from; values are read when an evaluator asks for them. */
export class GivenScore implements EvaluatorInput {
  readonly turns: readonly AgentTurn[];
  readonly expected: JsonValue | undefined;
  readonly reads: EvaluatorInput['reads'];
  readonly cost: EvaluatorInput['cost'];
  readonly row: RowGiven;

  constructor(
    turns: readonly AgentTurn[],
    expected: JsonValue | undefined,
    { reads, cost, row }: Pick<EvaluatorInput, 'reads' | 'cost' | 'row'>,
  ) {
    this.turns = turns;
    this.expected = expected;
    this.reads = reads;
    this.cost = cost;
    this.row = row;
  }

  /** Of several turns that of the last. */
  get value(): JsonValue {
    return this.turns.at(-1)?.value ?? null;
  }
}

/** A turn of a family as it is recorded. */
export class ReadTurn implements AgentTurn {
  readonly iteration: number;
  private readonly output: JsonValue;
  private readonly reader: OutputReader;
  private known: JsonValue | undefined;

  constructor(iteration: number, output: JsonValue, reader: OutputReader) {
    this.iteration = iteration;
    this.output = output;
    this.reader = reader;
  }

  get value(): JsonValue {
    this.known ??= this.reader.value(this.output);
    return this.known ?? null;
  }

  member(name: string): JsonValue | undefined {
    return this.reader.member(this.output, name);
  }
}

/** Reads what went in and came out only for the evaluators that ask. */
export class GivenRow implements RowGiven {
  readonly data: JsonObject;
  private readonly row: RowView;

  constructor(row: RowView, data: JsonObject) {
    this.row = row;
    this.data = data;
  }

  get line(): number {
    return this.row.line;
  }

  get repeat(): number {
    return this.row.repeat;
  }

  get inputs(): JsonObject {
    return this.row.inputs;
  }

  get outputs(): JsonObject {
    return this.row.outputs;
  }
}
