import type { JsonObject, JsonValue } from '@unroll/engine';
import * as z from 'zod';

/** A flow that judges: asked once for each row, turn or order of two answers; its runs are recorded. */
export interface Judge {
  /** Never rejects. */
  ask(inputs: JsonObject, place: JudgedPlace): Promise<Judged>;
  /** What its aggregation nodes logged, once `settle` of the service is done. */
  metrics(): JsonObject;
  /** Id of the run that holds what it said; undefined while it was not asked. */
  run(): string | undefined;
}

export interface JudgedPlace {
  readonly line: number;
  readonly repeat: number;
  /** Which question of the row it is, from 0: the turn of a loop, or the order of two answers. */
  readonly turn: number;
}

/** `failed` is a few words, the same for failures of one kind. */
export type Judged = { readonly outputs: JsonObject } | { readonly failed: string; readonly message?: string };

/** Which flow judges, and what its nodes ask in place of what it writes. */
export interface ChosenJudge {
  readonly flow: string;
  readonly connections?: NodeConnections | undefined;
}

export type NodeConnections = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Parameters of every evaluator that asks a judge. */
export const judgeParameters = {
  flow: z.string().min(1).describe('The judge: its folder or file, seen from the folder of this file.'),
  connections: z
    .record(z.string(), z.record(z.string(), z.string()))
    .optional()
    .describe(
      "Connections and models of the judge's nodes in place of the written ones: `{ask: {connection: mine, model: gpt-4o}}`.",
    ),
};

/** Runs judges; implementations stand where flows are run. */
export interface JudgeService {
  /** @param key metrics with the same key ask one judge */
  open(judge: ChosenJudge, key: string): Judge;
  /** Ends every judge's run: its aggregation nodes see all that was judged. */
  settle(): Promise<void>;
  /** Told what is doubtful of what they say. */
  warn?(message: string): void;
}

export const noJudges: Judge = {
  ask: async () => ({ failed: 'judges cannot run here' }),
  metrics: () => ({}),
  run: () => undefined,
};

/** Inputs of a judge: a mapping, with the value at `on` under its name. */
export function judgeInputs(written: JsonValue | undefined, name: string | undefined, value: JsonValue): JsonObject {
  const inputs =
    typeof written === 'object' && written !== null && !Array.isArray(written) ? (written as JsonObject) : {};
  return name === undefined ? inputs : { ...inputs, [name]: value };
}
