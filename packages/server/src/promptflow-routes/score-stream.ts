import {
  coerceInputs,
  getPath,
  type JsonObject,
  type JsonValue,
  type NodeEvent,
  type NodeRun,
  type Plan,
  type PlanOutput,
  pythonJson,
  RemoteValue,
} from '@unroll/engine';
import type { AnsweredOutputs } from './answered-outputs.ts';

/** What a stream that has begun gives: the outputs that are none, then the pieces of the one that is. */
export interface BegunStream {
  readonly outputs: JsonObject;
  readonly name: string;
}

/**
 * Follows a row whose answer may be a stream: an output that a model, or a generator, gives piece by piece. As in Prompt flow all other
 * outputs are told first, and what fails before the first piece is an answer of its own. Pieces are held back until then.
 */
export class ScoreStream {
  /** Resolves when the first piece can be sent; it never does for a row without a stream. */
  readonly begun: Promise<BegunStream>;
  readonly #plan: Plan;
  readonly #answered: AnsweredOutputs;
  readonly #inputs: JsonObject | undefined;
  readonly #ended = new Map<string, NodeRun>();
  /** Names of the outputs that were seen to be streams. */
  readonly #streams = new Set<string>();
  readonly #held: JsonValue[] = [];
  #begin: (stream: BegunStream) => void = () => undefined;
  #hasBegun = false;
  #onPiece: ((piece: JsonValue) => void) | undefined;

  /** @param answered the outputs that are answered */
  constructor(plan: Plan, given: JsonObject, answered: AnsweredOutputs) {
    this.#plan = plan;
    this.#answered = answered;
    const coerced = coerceInputs(plan.inputs, given, undefined);
    this.#inputs = coerced.ok ? coerced.inputs : undefined;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  /** Names of the outputs that were streams so far. */
  get streams(): readonly string[] {
    return [...this.#streams];
  }

  /** Pieces that nobody has been sent yet. */
  get held(): readonly JsonValue[] {
    return this.#held;
  }

  readonly listen = (event: NodeEvent): void => {
    if (event.type === 'streams-begin') {
      for (const name of event.streams) if (this.#answered.has(name)) this.#streams.add(name);
      const others = Object.entries(event.outputs).filter(([name]) => this.#answered.has(name));
      this.#tryToBegin(Object.fromEntries(others.filter(([name]) => !this.#streams.has(name))));
    } else if (event.type === 'text') this.#take(event);
    else if (event.type === 'node-ended') {
      this.#ended.set(event.run.node, event.run);
      if (this.#streams.size > 0) this.#tryToBegin(this.#known());
    }
  };

  /** Sends what was held back, and from now on each piece as it comes. */
  send(onPiece: (piece: JsonValue) => void): void {
    for (const piece of this.#held.splice(0)) onPiece(piece);
    this.#onPiece = onPiece;
  }

  #take({ node, text, output, item = text }: Extract<NodeEvent, { readonly type: 'text' }>): void {
    const names = output === undefined ? this.#outputsOf(node) : [output].filter((name) => this.#answered.has(name));
    for (const name of names) this.#streams.add(name);
    if (names.length === 0) return;
    if (this.#onPiece === undefined) this.#held.push(item);
    else this.#onPiece(item);
    if (output === undefined) this.#tryToBegin(this.#known());
  }

  /** Outputs that are the whole of what a node gives. */
  #outputsOf(node: string): readonly string[] {
    return this.#plan.outputs.flatMap(({ name, binding }) =>
      binding.kind === 'node-output' &&
      binding.nodeName === node &&
      binding.path.length === 0 &&
      this.#answered.has(name)
        ? [name]
        : [],
    );
  }

  #tryToBegin(outputs: JsonObject | undefined): void {
    const [name, ...others] = this.#streams;
    if (this.#hasBegun || outputs === undefined || name === undefined || others.length > 0) return;
    this.#hasBegun = true;
    this.#begin({ outputs, name });
  }

  /** The outputs that are no streams, once no other node is under way; undefined while one is, or where only the row's end tells. */
  #known(): JsonObject | undefined {
    const streaming = new Set(
      this.#plan.outputs.flatMap(({ name, binding }) =>
        this.#streams.has(name) && binding.kind === 'node-output' ? [binding.nodeName] : [],
      ),
    );
    const isQuiet = this.#plan.nodes.every(
      ({ name, aggregation }) => aggregation || streaming.has(name) || this.#ended.has(name),
    );
    if (!isQuiet) return undefined;
    const outputs: Record<string, JsonValue> = {};
    for (const output of this.#plan.outputs) {
      if (!this.#answered.has(output.name) || this.#streams.has(output.name)) continue;
      const value = this.#valueOf(output);
      if (value === undefined) return undefined;
      outputs[output.name] = value;
    }
    return outputs;
  }

  #valueOf({ binding }: PlanOutput): JsonValue | undefined {
    if (binding.kind === 'literal') return binding.value;
    if (binding.kind === 'flow-input') return this.#valueOfInput(binding.input);
    const output = this.#ended.get(binding.nodeName)?.output;
    if (output === undefined || (output as unknown) instanceof RemoteValue) return undefined;
    const path = binding.path.map((step) => (step.kind === 'index' ? step.index : step.name));
    const found = getPath(output, path);
    return found?.steps === path.length ? found.value : undefined;
  }

  /** A picture is loaded by the row. */
  #valueOfInput(name: string): JsonValue | undefined {
    const type = this.#plan.inputs.find((input) => input.name === name)?.type;
    return type === 'string' || type === 'int' || type === 'double' || type === 'number' || type === 'bool'
      ? this.#inputs?.[name]
      : undefined;
  }
}

/** An event as Prompt flow's server writes it. */
export function dataEvent(data: JsonValue): string {
  return `data: ${pythonJson(data)}\n\n`;
}
