import type { Plan } from '../plan/plan.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { Float } from '../value/float.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { redactedRow, redactedRun } from './redacted-run.ts';
import type { RowResult } from './run-flow.ts';

const none: ReadonlySet<string> = new Set();

/** Inputs of a flow whose values are told nowhere, and where nodes are given them as they are. */
export class HiddenInputs {
  /** Of the flow. */
  readonly names: ReadonlySet<string>;
  readonly #defaults: JsonObject;
  readonly #byNode: ReadonlyMap<string, ReadonlySet<string>>;

  constructor({ inputs, nodes }: Plan, names: Iterable<string>) {
    this.names = new Set(names);
    const hidden = inputs.filter(({ name }) => this.names.has(name));
    this.#defaults = Object.fromEntries(hidden.map((input) => [input.name, input.default ?? null]));
    const given = nodes.map((node): [string, ReadonlySet<string>] => [
      node.name,
      new Set(
        node.inputs.flatMap(({ name, binding }) =>
          binding.kind === 'flow-input' && this.names.has(binding.input) ? [name] : [],
        ),
      ),
    ]);
    this.#byNode = new Map(given.filter(([, ofNode]) => ofNode.size > 0));
  }

  /** Names of a node's inputs that are one of them. */
  ofNode(node: string): ReadonlySet<string> {
    return this.#byNode.get(node) ?? none;
  }

  /** Knows the texts in them too, as secrets; undefined where a row has none. */
  redactorOfRow(inputs: JsonObject, redactor: Redactor): Redactor | undefined {
    const texts = this.names.size === 0 ? [] : textsIn({ ...this.#defaults, ...inputs }, this.names);
    return texts.length === 0 ? undefined : redactor.with(texts);
  }

  /** The same of a node that runs alone. */
  redactorOfNode(node: string, inputs: JsonObject, redactor: Redactor): Redactor | undefined {
    const texts = textsIn(inputs, this.ofNode(node));
    return texts.length === 0 ? undefined : redactor.with(texts);
  }

  /**
   * A row without them: neither under their names nor in any text, where they are found however short they are (from 2 characters on; a
   * short one as a word of its own).
   */
  hiddenIn({ row, nodes }: RowResult, redactor: Redactor): RowResult {
    const knowing = redactor.withShort(textsIn(row.inputs, this.names));
    return {
      row: redactedRow(row, knowing, this.names),
      nodes: nodes.map((run) => redactedRun(run, knowing, this.ofNode(run.node))),
    };
  }
}

function textsIn(values: JsonObject, names: ReadonlySet<string>): readonly string[] {
  return [...names].flatMap((name) => textsOf(values[name]));
}

/** All texts and numbers in a value. */
function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return [String(value)];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsOf);
  return isMapping(value) ? Object.values(value).flatMap(textsOf) : [];
}
