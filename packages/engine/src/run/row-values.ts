import type { NodeSuccess, Originals } from '../node/node-type.ts';
import type { Binding, NodeBinding } from '../plan/plan.ts';
import { describeValue } from '../value/described-values.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { pythonEquals } from '../value/python-equality.ts';
import { copiedFrom, mayLiveElsewhere, type RemoteRead, RemoteValue } from '../value/remote-value.ts';
import { isMapping } from '../value/shapes.ts';
import { changedTogether, movedValues } from '../value/shared-places.ts';
import type { CompiledNode, CompiledPlan } from './compile-plan.ts';
import { inputNotFound, type Read, readProperty, unsupportedReference } from './read-property.ts';
import { copiesIn, replaced } from './replaced-values.ts';

const waiting = 0;
const completed = 1;
const bypassed = 2;

/** Several values by name, or why the first of them cannot be had. */
export type ReadValues =
  | { readonly ok: true; readonly values: JsonObject; readonly originals?: Originals | undefined }
  | Extract<Read, { readonly ok: false }>;

/** Whether a node is bypassed, or why its condition cannot be read. */
export type ReadCondition = { readonly ok: true; readonly bypassed: boolean } | Extract<Read, { readonly ok: false }>;

/** The inputs of one row and what its nodes gave so far; what nodes, conditions and outputs read of them. */
export class RowValues {
  private inputs: JsonObject;
  private readonly states: Uint8Array;
  private readonly values: JsonValue[];
  /** What was read in live values, asked for before it is used. */
  private looked: Map<Binding, Read> | undefined;
  /** By node, the object that its output is where that is a text or a number of a class of its own. */
  private originals: Map<number, RemoteValue> | undefined;
  /** What objects said that conditions compare, by the names of the nodes that have them. */
  private compared: Map<string, RemoteRead> | undefined;
  /** Once copies are those of objects as code changed them. */
  private renewal: Promise<void> | undefined;

  /** @param size number of nodes of the plan */
  constructor(inputs: JsonObject, size: number) {
    this.inputs = inputs;
    this.states = new Uint8Array(size);
    this.values = new Array<JsonValue>(size);
  }

  complete(id: number, value: JsonValue, original?: RemoteValue): void {
    this.states[id] = completed;
    this.values[id] = value;
    if (original === undefined) return;
    this.originals ??= new Map();
    this.originals.set(id, original);
  }

  /**
   * What code changed in values that it was given: whoever reads them from now on sees it, as they are one object in Prompt
   * flow. Records made before keep what was.
   */
  change(given: JsonObject, ended: Pick<NodeSuccess, 'changed' | 'kept' | 'live' | 'shared'>): void {
    const { changed, kept, live = [], shared = [] } = ended;
    if (changed === undefined && kept === undefined) return;
    const now = { ...(changed && changedTogether(changed, shared, given)), ...kept };
    const told = Object.entries(now).filter(([name]) => !live.includes(name));
    const moved = movedValues(shared, given, Object.fromEntries(told));
    this.replace(new Map([...moved, ...told.map(([name, value]): [unknown, JsonValue] => [given[name], value])]));
    if (live.length === 0) return;
    // An object may have other copies than the one that was given.
    this.renewal = (this.renewal ?? Promise.resolve()).then(() => this.renewCopies());
  }

  private async renewCopies(): Promise<void> {
    const copies = [...copiesIn([this.inputs, ...this.values])];
    const renewed = await Promise.all(copies.map(async ([copy, { again }]) => [copy, await again()] as const));
    this.replace(new Map(renewed.filter(([copy, now]) => copy !== now)));
  }

  private replace(now: Map<unknown, JsonValue>): void {
    if (now.size === 0) return;
    this.inputs = replaced(this.inputs, now) as JsonObject;
    for (const [id, value] of this.values.entries()) {
      if (value !== undefined) this.values[id] = replaced(value, now);
    }
  }

  bypass(id: number): void {
    this.states[id] = bypassed;
  }

  /** By its condition; without one, when all nodes it reads were bypassed. */
  condition(node: CompiledNode): ReadCondition {
    if (node.activate === undefined) {
      return { ok: true, bypassed: node.reads.length > 0 && node.reads.every((id) => this.states[id] === bypassed) };
    }
    const { when, is } = node.activate;
    if (when.kind === 'node-output' && this.states[when.node] === bypassed) return { ok: true, bypassed: true };
    const read = this.read(when);
    if (!read.ok) return read;
    const told = this.compared?.get(node.name);
    if (told === undefined) return { ok: true, bypassed: !pythonEquals(read.value, is) };
    if (told.ok) return { ok: true, bypassed: told.value !== true };
    return { ok: false, error: { code: told.error.type, message: told.error.message, retryable: false } };
  }

  /** The inputs of a node; of a bypassed node it reads null, or nothing where its parameter has a default. Code that is a flow is not given what the row has not. */
  bind(node: CompiledNode): ReadValues {
    const values: Record<string, JsonValue> = {};
    for (let index = 0; index < node.bindings.length; index += 1) {
      const binding = node.bindings[index] as Binding;
      const name = node.names[index] as string;
      if (binding.kind === 'node-output' && this.states[binding.node] === bypassed) {
        if (!node.prepared.parametersWithDefault.has(name)) values[name] = null;
        continue;
      }
      if (binding.kind === 'flow-input' && binding.isLeftOut && !Object.hasOwn(this.inputs, binding.input)) continue;
      const read = this.read(binding);
      if (!read.ok) return read;
      values[name] = read.value;
    }
    return { ok: true, values, originals: this.originalsOf(node) };
  }

  private originalsOf({ bindings, names }: CompiledNode): Originals | undefined {
    if (!mayLiveElsewhere()) return undefined;
    const found = bindings.flatMap((binding, index) => {
      const read = binding.kind === 'node-output' ? this.read(binding) : undefined;
      return read?.ok === true && read.original !== undefined ? [[names[index] as string, read.original] as const] : [];
    });
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }

  /**
   * The outputs of the flow, without those of nodes that did not run. What the aggregation nodes read of a row
   * is looked for with them.
   */
  outputs({ plan, outputs, alsoRead }: CompiledPlan): ReadValues {
    if (plan.answersBy !== undefined) return { ok: true, values: membersOf(this.values[plan.answersBy] ?? null) };
    const values: Record<string, JsonValue> = {};
    for (const { name, binding } of outputs) {
      if (binding.kind === 'node-output' && this.states[binding.node] === waiting) continue;
      const read = this.read(binding);
      if (!read.ok) return read;
      values[name] = read.value;
    }
    for (const binding of alsoRead) {
      const read = this.read(binding);
      if (!read.ok) return read;
    }
    return { ok: true, values };
  }

  /** Resolves what the bindings read in values that live elsewhere; none where there is nothing to ask. */
  resolveRemote(bindings: readonly Binding[]): readonly Promise<void>[] {
    return mayLiveElsewhere() ? this.resolveReads(bindings) : [];
  }

  /** The same for all that a node reads, whether its condition holds of an object, and what its template may ask of objects. */
  resolveFor(node: CompiledNode): readonly Promise<unknown>[] {
    if (!mayLiveElsewhere()) return [];
    if (this.renewal === undefined) return this.resolveNow(node);
    return [this.renewal.then(() => Promise.all(this.resolveNow(node)))];
  }

  private resolveNow(node: CompiledNode): readonly Promise<unknown>[] {
    const { activate, bindings } = node;
    const looked = this.resolveReads(activate === undefined ? bindings : [activate.when, ...bindings]);
    const ask = (): readonly Promise<unknown>[] => [...this.compare(node), ...this.describe(node)];
    return looked.length === 0 ? ask() : [Promise.all(looked).then(() => Promise.all(ask()))];
  }

  private compare({ name, activate }: CompiledNode): readonly Promise<unknown>[] {
    if (activate?.when.kind !== 'node-output') return [];
    const read = this.read(activate.when);
    const asked = read.ok ? objectBehind(read)?.equals?.(activate.is) : undefined;
    if (asked === undefined) return [];
    this.compared ??= new Map();
    const { compared } = this;
    return [asked.then((told) => compared.set(name, told))];
  }

  private describe({ bindings, prepared: { looksInto: names } }: CompiledNode): readonly Promise<unknown>[] {
    if (names === undefined) return [];
    return bindings.flatMap((binding) => {
      if (binding.kind !== 'node-output') return [];
      const read = this.read(binding);
      if (!read.ok) return [];
      return describeValue((read.original as JsonValue | undefined) ?? read.value, names) ?? [];
    });
  }

  private resolveReads(bindings: readonly Binding[]): readonly Promise<void>[] {
    return bindings.flatMap((binding) => {
      if (binding.kind !== 'node-output' || binding.path.length === 0 || this.looked?.has(binding) === true) return [];
      const read = this.readOutput(binding);
      if (!(read instanceof Promise)) return [];
      return [read.then((found) => void this.found().set(binding, found))];
    });
  }

  private found(): Map<Binding, Read> {
    this.looked ??= new Map();
    return this.looked;
  }

  private read(binding: Binding): Read {
    if (binding.kind === 'literal') return { ok: true, value: binding.value };
    if (binding.kind === 'flow-input') {
      if (Object.hasOwn(this.inputs, binding.input)) return { ok: true, value: this.inputs[binding.input] ?? null };
      return { ok: false, error: inputNotFound(binding.input, Object.keys(this.inputs)) };
    }
    const read = this.looked?.get(binding) ?? this.readOutput(binding);
    if (read instanceof Promise) throw new Error('bug: a live value was not asked in time');
    return read;
  }

  private readOutput(binding: NodeBinding): Read | Promise<Read> {
    if (binding.unsupportedSection !== undefined) {
      return { ok: false, error: unsupportedReference(binding.nodeName, binding.unsupportedSection) };
    }
    const value = this.values[binding.node] ?? null;
    if (binding.path.length === 0) return withOriginal(value, this.originals?.get(binding.node));
    return readProperty(binding.nodeName, value, binding.path, binding.pathText);
  }
}

function withOriginal(value: JsonValue, original: RemoteValue | undefined): Read {
  return original === undefined ? { ok: true, value } : { ok: true, value, original };
}

/** What knows more of a value than JSON tells. */
function objectBehind({
  value,
  original,
}: Extract<Read, { readonly ok: true }>): Pick<RemoteValue, 'equals'> | undefined {
  if (original !== undefined) return original;
  return (value as unknown) instanceof RemoteValue ? (value as unknown as RemoteValue) : copiedFrom(value);
}

function membersOf(value: JsonValue): JsonObject {
  return isMapping(value) && !((value as unknown) instanceof RemoteValue) ? value : { output: value };
}
