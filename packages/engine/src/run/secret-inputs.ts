import type { Plan } from '../plan/plan.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';

const none: ReadonlySet<string> = new Set();

/** Which inputs of a flow are secrets of their row, and where nodes are given them as they are. */
export class SecretInputs {
  /** Of the flow. */
  readonly names: ReadonlySet<string>;
  readonly #defaults: JsonObject;
  readonly #byNode: ReadonlyMap<string, ReadonlySet<string>>;

  constructor({ inputs, nodes }: Plan) {
    const secret = inputs.filter(({ type }) => type === 'secret');
    this.names = new Set(secret.map(({ name }) => name));
    this.#defaults = Object.fromEntries(secret.map((input) => [input.name, input.default ?? null]));
    const given = nodes.map((node): [string, ReadonlySet<string>] => [
      node.name,
      new Set(
        node.inputs.flatMap(({ name, binding }) =>
          binding.kind === 'flow-input' && this.names.has(binding.input) ? [name] : [],
        ),
      ),
    ]);
    this.#byNode = new Map(given.filter(([, names]) => names.size > 0));
  }

  /** Names of a node's inputs that are one of them. */
  ofNode(node: string): ReadonlySet<string> {
    return this.#byNode.get(node) ?? none;
  }

  /** Knows the secrets of a row too; undefined where it has none. */
  redactorOfRow(inputs: JsonObject, redactor: Redactor): Redactor | undefined {
    if (this.names.size === 0) return undefined;
    return withTexts({ ...this.#defaults, ...inputs }, this.names, redactor);
  }

  /** The same of a node that runs alone. */
  redactorOfNode(node: string, inputs: JsonObject, redactor: Redactor): Redactor | undefined {
    return withTexts(inputs, this.ofNode(node), redactor);
  }
}

function withTexts(values: JsonObject, names: ReadonlySet<string>, redactor: Redactor): Redactor | undefined {
  const texts = [...names].flatMap((name) => textsOf(values[name]));
  return texts.length === 0 ? undefined : redactor.with(texts);
}

/** All texts in a value. */
function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsOf);
  return isMapping(value) ? Object.values(value).flatMap(textsOf) : [];
}
