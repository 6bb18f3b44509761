import { type Embedder, type JsonObject, type JsonValue, MatchTookTooLong, type Usage } from '@unroll/engine';
import type * as z from 'zod';
import { ownMember } from '../targets/target.ts';
import type { JudgeService } from './judge.ts';

/** Measures a value, a loop's turns, or what a node or row took. Named in eval.yaml; listed in `evaluators.ts`. */
export interface Evaluator {
  readonly name: string;
  /** For lists of evaluators: what it measures, in one line. */
  readonly about: string;
  /** Keys of a metric that are its own; a strict object. */
  readonly parameters: z.ZodObject;
  /** Parameters that may be written as references, read again for each row. */
  readonly reads: readonly ReadParameter[];
  /** Whether `name@5` is short for `k: 5`. */
  readonly takesK: boolean;
  /** `needed`: where none is written it is the row's `expected.<name>`. */
  readonly expected: 'needed' | 'optional' | 'none';
  /**
   * `value`: what stands at `on`, of a family each turn by itself. `turns`: the values of a family, or the one value,
   * together. `cost`: what the node, family or row took. `metric`: how often another metric passes in the attempts at a row.
   */
  readonly measures: 'value' | 'turns' | 'cost' | 'metric';
  /** What a row scores, of a `metric`; undefined where there were too few attempts. */
  readonly ofAttempts?: (parameters: JsonObject, attempts: number, passed: number) => number | undefined;
  /** It needs no `on`: what it measures is then the row as a whole. */
  readonly isOfRow?: boolean;
  /** It measures the turns of a loop, and nothing else. */
  readonly isOfLoop?: boolean;
  /** It counts the calls that a model's message asks for. */
  readonly isOfCalls?: boolean;
  /** Whether its scores pass or fail is known only once there are some. */
  readonly isKindOpen?: boolean;
  /** It asks a flow, its parameter `flow`; the parameter that names the output which is read. */
  readonly judgedBy?: 'score' | 'winner';
  /** The connection it asks, known before anything runs. */
  readonly connectionOf?: (parameters: JsonObject) => string;
  /** What of its parameters may be a mistake, and stops nothing. */
  readonly doubtsOf?: (parameters: JsonObject) => readonly ParameterDoubt[];
  /** @param key the same for metrics that ask for the same, however they are called */
  prepare(parameters: JsonObject, services: EvaluatorServices, hasExpected: boolean, key: string): PreparedEvaluator;
}

interface ParameterDoubt {
  readonly message: string;
  readonly help: string;
  /** Of a key, below the metric. */
  readonly path: readonly (string | number)[];
}

interface ReadParameter {
  readonly name: string;
  /** For the schema of eval.yaml. */
  readonly about: string;
  /** What it must be where it is written out, and no reference. */
  readonly kinds: readonly ('text' | 'list' | 'mapping')[];
  /** What it is where it is not written: what the flow's searches and loops found. */
  readonly implied?: 'retrieved';
}

export interface PreparedEvaluator {
  /** `pass`: every score is 0 or 1, and 0 is a failure. */
  readonly kind: 'pass' | 'number';
  readonly better: 'higher' | 'lower';
  /** Of the scores; absent for plain numbers. */
  readonly unit?: 'ms' | 'tokens' | 'USD' | undefined;
  /** The least and the most a score can be; of `pass` 0 and 1. Absent where there is no bound. */
  readonly range?: readonly [least: number, most: number];
  /** Once every row is scored: a number that stands in the place of the mean. */
  total?(): number | Unscored;
  /** Id of the run of the judge that was asked. */
  judgedBy?(): string | undefined;
  /** Never throws, never rejects: what fails is an `Unscored` that is an error. */
  score(given: EvaluatorInput): Score | Promise<Score>;
}

/** What a score is worked out from. */
export interface EvaluatorInput {
  /** What stands at `on`; null where the output has nothing there. */
  readonly value: JsonValue;
  /** Values of the turns that ran, first to last; of anything but a family only one. */
  readonly turns: readonly AgentTurn[];
  /** null where the row says that nothing is expected; undefined where it says nothing. */
  readonly expected: JsonValue | undefined;
  readonly reads: Readonly<Record<string, JsonValue | undefined>>;
  /** What was measured: of a node, of all turns of a family together, of the whole row. */
  readonly cost: Cost;
  readonly row: RowGiven;
}

export interface AgentTurn {
  /** From 1. */
  readonly iteration: number;
  readonly value: JsonValue;
  /** A member of the value, read without the rest; undefined where that is no mapping, or has no such member. */
  member(name: string): JsonValue | undefined;
}

/** A turn whose value is there. */
export function turnOf(iteration: number, value: JsonValue): AgentTurn {
  return new KnownTurn(iteration, value);
}

class KnownTurn implements AgentTurn {
  readonly iteration: number;
  readonly value: JsonValue;

  constructor(iteration: number, value: JsonValue) {
    this.iteration = iteration;
    this.value = value;
  }

  member(name: string): JsonValue | undefined {
    return ownMember(this.value, name);
  }
}

export interface Cost {
  readonly durationMs?: number;
  readonly usage?: Usage;
  /** US dollars; absent where a price is unknown. */
  readonly dollars?: number;
  /** Some of it was taken from an earlier run. */
  readonly isCached: boolean;
}

/** The whole row, for evaluators that are not ours. */
export interface RowGiven {
  readonly line: number;
  readonly repeat: number;
  /** Columns of the data. */
  readonly data: JsonObject;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

export type Score = number | Unscored;

/** Neither passed nor failed. */
export interface Unscored {
  /** A few words, the same for rows of one kind. */
  readonly unscored: string;
  readonly isError?: boolean;
  /** What was said there, which may be different from row to row; of an error that of the first row is told. */
  readonly said?: string;
}

/** What evaluators need of the world. */
export interface EvaluatorServices {
  readonly judges?: JudgeService;
  /**
   * Opens an embedding model by its connection; a sentence where there is none. Opened once, when the first row asks.
   *
   * @param model name, at Azure that of the deployment; undefined for a connection that needs none
   */
  readonly openEmbedder?: (connection: string, model: string | undefined) => Promise<Embedder | string>;
}

type Definition<Schema extends z.ZodObject> = Omit<Evaluator, 'parameters' | 'reads' | 'takesK' | 'prepare'> & {
  readonly parameters: Schema;
  readonly reads?: readonly ReadParameter[];
  readonly takesK?: boolean;
  readonly prepare: (
    parameters: z.output<Schema>,
    services: EvaluatorServices,
    hasExpected: boolean,
    key: string,
  ) => PreparedEvaluator;
};

/** An evaluator with typed parameters. */
export function defineEvaluator<Schema extends z.ZodObject>(definition: Definition<Schema>): Evaluator {
  const { parameters, prepare } = definition;
  return {
    reads: [],
    takesK: false,
    ...definition,
    prepare: (given, services, hasExpected, key) =>
      toldWhereSlow(prepare(parameters.parse(given), services, hasExpected, key)),
  };
}

/** The score of a row over which a pattern of the evaluation goes on without end. */
const slowPattern: Unscored = { unscored: 'a pattern took more than 1 s', isError: true };

function toldWhereSlow(prepared: PreparedEvaluator): PreparedEvaluator {
  return {
    ...prepared,
    // Read when it is asked for: of functions of one's own it is known once rows were scored.
    get kind() {
      return prepared.kind;
    },
    score(given) {
      try {
        return prepared.score(given);
      } catch (error) {
        if (error instanceof MatchTookTooLong) return slowPattern;
        throw error;
      }
    },
  };
}

/** A pass or a failure. */
export function passed(isRight: boolean): number {
  return isRight ? 1 : 0;
}
