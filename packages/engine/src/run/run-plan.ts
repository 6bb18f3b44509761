import type { NodeError } from '../node/node-error.ts';
import type { NodeCall, NodeOutcome } from '../node/node-type.ts';
import type { Binding, NodeBinding } from '../plan/plan.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { Value, Values } from '../value/json.ts';
import { pythonEquals } from '../value/python-equality.ts';
import type { CompiledNode, CompiledPlan } from './compile-plan.ts';
import { invalidProperty, type Read, readProperty, unsupportedReference } from './read-property.ts';
import type { RunEvent } from './run-flow.ts';

export interface PlanRunOptions {
  readonly runId: string;
  readonly line: number;
  readonly signal: AbortSignal;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Milliseconds since the epoch, with fractions. */
  readonly now: () => number;
}

/** What running the nodes of a plan gave: a record a node that was reached, by id. */
export interface PlanRun {
  readonly runs: readonly (NodeRun | undefined)[];
  readonly outputs: Values;
  readonly error?: NodeError & { readonly node?: string };
  readonly canceled: boolean;
}

/**
 * Runs the nodes of a plan for one row. A node starts when all it waits for has completed or been bypassed; the first
 * failure stops new nodes from starting, those under way are waited for and recorded. Never rejects.
 *
 * O(nodes + edges); a node that answers at once costs no promise.
 */
export function runPlan(compiled: CompiledPlan, inputs: Values, options: PlanRunOptions): Promise<PlanRun> {
  return new Promise((resolve, reject) => {
    new RowRunner(compiled, inputs, options, resolve, reject).drain();
  });
}

const waiting = 0;
const completed = 1;
const bypassed = 2;

class RowRunner {
  private readonly compiled: CompiledPlan;
  private readonly inputs: Values;
  private readonly options: PlanRunOptions;
  private readonly resolve: (run: PlanRun) => void;
  private readonly reject: (bug: unknown) => void;
  private readonly waitingFor: number[];
  private readonly ready: number[];
  private readonly states: Uint8Array;
  private readonly values: Value[];
  private readonly runs: (NodeRun | undefined)[];
  private next = 0;
  private inFlight = 0;
  private error: (NodeError & { readonly node?: string }) | undefined;
  private isDone = false;

  constructor(
    compiled: CompiledPlan,
    inputs: Values,
    options: PlanRunOptions,
    resolve: (run: PlanRun) => void,
    reject: (bug: unknown) => void,
  ) {
    this.compiled = compiled;
    this.inputs = inputs;
    this.options = options;
    this.resolve = resolve;
    this.reject = reject;
    const size = compiled.nodes.length;
    this.waitingFor = compiled.waitingFor.slice();
    this.ready = compiled.first.slice();
    this.states = new Uint8Array(size);
    this.values = new Array<Value>(size).fill(null);
    this.runs = new Array<NodeRun | undefined>(size).fill(undefined);
  }

  /** Starts all that can start; ends the row when nothing is left to wait for. */
  drain(): void {
    while (this.next < this.ready.length && this.error === undefined && !this.options.signal.aborted) {
      this.startNode(this.nodeAt(this.ready[this.next++]));
    }
    if (this.inFlight === 0 && !this.isDone) {
      this.isDone = true;
      this.resolve(this.result());
    }
  }

  private startNode(node: CompiledNode): void {
    const skip = this.isBypassed(node);
    if (skip === undefined) return;
    if (skip) {
      this.bypass(node);
      return;
    }
    const inputs = this.bindInputs(node);
    if (inputs === undefined) return;
    this.options.onEvent?.({ type: 'node-started', line: this.options.line, node: node.name });
    const startedAt = this.options.now();
    let outcome: NodeOutcome | Promise<NodeOutcome>;
    try {
      outcome = node.prepared.run(inputs, this.call(node));
    } catch (bug) {
      this.reject(bug);
      return;
    }
    if (!(outcome instanceof Promise)) {
      this.settle(node, inputs, startedAt, outcome);
      return;
    }
    this.inFlight += 1;
    outcome.then(
      (ended) => {
        this.inFlight -= 1;
        this.settle(node, inputs, startedAt, ended);
        this.drain();
      },
      (bug) => this.reject(bug),
    );
  }

  /** undefined: the condition could not be read, which fails the row. */
  private isBypassed(node: CompiledNode): boolean | undefined {
    if (node.activate === undefined) {
      return node.reads.length > 0 && node.reads.every((id) => this.states[id] === bypassed);
    }
    const { when, is } = node.activate;
    if (when.kind === 'node-output' && this.states[when.node] === bypassed) return true;
    const read = this.read(when);
    if (read.ok) return !pythonEquals(read.value, is);
    this.error = { ...read.error, node: node.name };
    return undefined;
  }

  private bypass(node: CompiledNode): void {
    const run: NodeRun = {
      line: this.options.line,
      node: node.name,
      kind: node.kind,
      status: 'Bypassed',
      output: null,
    };
    this.finish(node, bypassed, null, run);
  }

  private bindInputs(node: CompiledNode): Record<string, Value> | undefined {
    const inputs: Record<string, Value> = {};
    for (let index = 0; index < node.bindings.length; index += 1) {
      const binding = node.bindings[index] as Binding;
      const name = node.names[index] as string;
      if (binding.kind === 'node-output' && this.states[binding.node] === bypassed) {
        if (!node.prepared.parametersWithDefault.has(name)) inputs[name] = null;
        continue;
      }
      const read = this.read(binding);
      if (!read.ok) {
        this.error = { ...read.error, node: node.name };
        return undefined;
      }
      inputs[name] = read.value;
    }
    return inputs;
  }

  private read(binding: Binding): Read {
    if (binding.kind === 'literal') return { ok: true, value: binding.value };
    if (binding.kind === 'flow-input') return { ok: true, value: this.inputs[binding.input] ?? null };
    return this.readOutput(binding);
  }

  private readOutput(binding: NodeBinding): Read {
    if (binding.unsupportedSection !== undefined) {
      return { ok: false, error: unsupportedReference(binding.nodeName, binding.unsupportedSection) };
    }
    const value = this.values[binding.node] ?? null;
    if (binding.path.length === 0) return { ok: true, value };
    if (this.states[binding.node] === bypassed) {
      return { ok: false, error: invalidProperty(binding.nodeName, binding.pathText) };
    }
    return readProperty(binding.nodeName, value, binding.path, binding.pathText);
  }

  private call(node: CompiledNode): NodeCall {
    const { runId, line, signal, onEvent } = this.options;
    const call = { runId, line, node: node.name, signal, flowInputs: this.inputs };
    if (onEvent === undefined) return call;
    return { ...call, onText: (text) => onEvent({ type: 'text', line, node: node.name, text }) };
  }

  private settle(node: CompiledNode, inputs: Values, startedAt: number, outcome: NodeOutcome): void {
    const { line, now } = this.options;
    const durationMs = now() - startedAt;
    if (outcome.ok) {
      const { output, report } = outcome;
      const run = {
        line,
        node: node.name,
        kind: node.kind,
        status: 'Completed' as const,
        inputs,
        output,
        startedAt,
        durationMs,
      };
      this.finish(node, completed, output, report === undefined ? run : { ...run, ...report });
      return;
    }
    const status = outcome.canceled === true ? 'Canceled' : 'Failed';
    const { error, report } = outcome;
    const run: NodeRun = { line, node: node.name, kind: node.kind, status, inputs, error, startedAt, durationMs };
    this.error ??= { ...error, node: node.name };
    this.record(node, report === undefined ? run : { ...run, ...report });
  }

  private finish(node: CompiledNode, state: number, value: Value, run: NodeRun): void {
    this.states[node.id] = state;
    this.values[node.id] = value;
    this.record(node, run);
    for (const dependent of node.dependents) {
      const left = (this.waitingFor[dependent] as number) - 1;
      this.waitingFor[dependent] = left;
      if (left === 0) this.ready.push(dependent);
    }
  }

  private record(node: CompiledNode, run: NodeRun): void {
    this.runs[node.id] = run;
    this.options.onEvent?.({ type: 'node-ended', line: this.options.line, run });
  }

  private result(): PlanRun {
    const canceled = this.options.signal.aborted;
    const outputs = this.error === undefined && !canceled ? this.readOutputs() : {};
    const { runs, error } = this;
    return error === undefined ? { runs, outputs, canceled } : { runs, outputs: {}, error, canceled };
  }

  private readOutputs(): Values {
    const outputs: Record<string, Value> = {};
    for (const output of this.compiled.outputs) {
      if (output.binding.kind === 'node-output' && this.states[output.binding.node] === waiting) continue;
      const read = this.read(output.binding);
      if (!read.ok) {
        this.error = read.error;
        return {};
      }
      outputs[output.name] = read.value;
    }
    return outputs;
  }

  private nodeAt(id: number | undefined): CompiledNode {
    const node = id === undefined ? undefined : this.compiled.nodes[id];
    if (node === undefined) throw new Error(`bug: no node ${id}`);
    return node;
  }
}
