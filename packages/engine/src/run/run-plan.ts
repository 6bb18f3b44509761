import type { NodeError } from '../node/node-error.ts';
import type { NodeCall, NodeOutcome } from '../node/node-type.ts';
import type { Binding, NodeBinding } from '../plan/plan.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { Value, Values } from '../value/json.ts';
import { LiveValue } from '../value/live-value.ts';
import { pythonEquals } from '../value/python-equality.ts';
import type { CompiledNode, CompiledPlan } from './compile-plan.ts';
import { finishLive, isStream } from './finish-live.ts';
import { inputNotFound, invalidProperty, type Read, readProperty, unsupportedReference } from './read-property.ts';
import type { RunEvent, Streaming } from './run-flow.ts';

export interface PlanRunOptions {
  readonly runId: string;
  readonly line: number;
  /** Which repetition of the row; absent is 0. */
  readonly repeat?: number | undefined;
  readonly finished?: NodeCall['finished'];
  readonly signal: AbortSignal;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly streaming?: Streaming | undefined;
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

/** Milliseconds that nodes under way have to end by themselves once their row is given up. */
const giveUpAfterMs = 100;

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
  private readonly place: { readonly line: number; readonly repeat?: number };
  private readonly running = new Map<CompiledNode, { readonly inputs: Values; readonly startedAt: number }>();
  private readonly looked = new Map<Binding, Read>();
  /** Nodes that wait for what they read in live values. */
  private asking = 0;
  private next = 0;
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
    const { line, repeat = 0 } = options;
    this.place = repeat === 0 ? { line } : { line, repeat };
    options.signal.addEventListener('abort', this.giveUpLater);
  }

  /** Starts all that can start; ends the row when nothing is left to wait for. */
  drain(): void {
    while (this.next < this.ready.length && this.error === undefined && !this.options.signal.aborted) {
      this.startNode(this.nodeAt(this.ready[this.next++]));
    }
    if (this.running.size === 0 && this.asking === 0 && !this.isDone) this.end();
  }

  private end(): void {
    this.isDone = true;
    this.options.signal.removeEventListener('abort', this.giveUpLater);
    if (LiveValue.anyMade) this.endLive();
    else this.resolve(this.result());
  }

  /** What lives elsewhere is asked for what the flow gives of it; what streams gave goes to their records. */
  private endLive(): void {
    const { outputs, alsoRead } = this.compiled;
    const isFine = this.error === undefined && !this.options.signal.aborted;
    const read = isFine ? [...outputs.map(({ binding }) => binding), ...alsoRead] : [];
    const ended = Promise.all(this.liveReads(read))
      .then(() => finishLive(this.result()))
      .then((finished) => {
        for (const { run } of finished.late) this.options.onEvent?.({ type: 'node-ended', ...this.place, run });
        return finished.run;
      });
    ended.then(this.resolve, this.reject);
  }

  /** Asks live values for what the bindings read in them; none where there is nothing to ask. */
  private liveReads(bindings: readonly Binding[]): readonly Promise<void>[] {
    if (!LiveValue.anyMade) return [];
    return bindings.flatMap((binding) => {
      if (binding.kind !== 'node-output' || binding.path.length === 0 || this.looked.has(binding)) return [];
      const read = this.readOutput(binding);
      if (!(read instanceof Promise)) return [];
      return [read.then((found) => void this.looked.set(binding, found))];
    });
  }

  /** Whether the node waits for what it reads in values that live elsewhere; it starts when that is there. */
  private waitsForLive(node: CompiledNode): boolean {
    const { activate, bindings } = node;
    const reads = this.liveReads(activate === undefined ? bindings : [activate.when, ...bindings]);
    if (reads.length === 0) return false;
    this.asking += 1;
    Promise.all(reads).then(() => {
      this.asking -= 1;
      if (this.isDone) return;
      if (this.error === undefined && !this.options.signal.aborted) this.startNode(node);
      this.drain();
    }, this.reject);
    return true;
  }

  /** Nodes under way are told by their signal; what has not ended soon after is given up. */
  private readonly giveUpLater = (): void => {
    setTimeout(() => this.giveUp(), giveUpAfterMs);
  };

  private giveUp(): void {
    if (this.isDone) return;
    for (const [node, { inputs, startedAt }] of [...this.running]) {
      const { reason } = this.options.signal;
      const why = reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'the run was stopped';
      const error = {
        code: 'ToolCanceledError',
        message: `Tool execution is canceled because: ${why}`,
        retryable: true,
      };
      this.settle(node, inputs, startedAt, { ok: false, canceled: true, error });
    }
    this.end();
  }

  private startNode(node: CompiledNode): void {
    if (this.waitsForLive(node)) return;
    const skip = this.isBypassed(node);
    if (skip === undefined) return;
    if (skip) {
      this.bypass(node);
      return;
    }
    const inputs = this.bindInputs(node);
    if (inputs === undefined) return;
    this.options.onEvent?.({ type: 'node-started', ...this.place, node: node.name });
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
    this.running.set(node, { inputs, startedAt });
    outcome.then(
      (ended) => {
        if (this.isDone) return;
        this.running.delete(node);
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
      ...this.place,
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
    if (binding.kind === 'flow-input') {
      if (Object.hasOwn(this.inputs, binding.input)) return { ok: true, value: this.inputs[binding.input] ?? null };
      return { ok: false, error: inputNotFound(binding.input, Object.keys(this.inputs)) };
    }
    const read = this.looked.get(binding) ?? this.readOutput(binding);
    if (read instanceof Promise) throw new Error('bug: a live value was not asked in time');
    return read;
  }

  private readOutput(binding: NodeBinding): Read | Promise<Read> {
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
    const { runId, signal, finished, streaming } = this.options;
    const call = { runId, ...this.place, node: node.name, signal, flowInputs: this.inputs };
    if (finished === undefined && streaming === undefined) return call;
    return { ...call, ...(finished === undefined ? {} : { finished }), ...this.streamed(node) };
  }

  private streamed(node: CompiledNode): Pick<NodeCall, 'onText' | 'countsTokens'> {
    const { onEvent, streaming } = this.options;
    if (streaming === undefined || (streaming.nodes === 'answers' && !node.isAnswer)) return {};
    const onText = (text: string): void => onEvent?.({ type: 'text', ...this.place, node: node.name, text });
    return { onText, countsTokens: streaming.tokens };
  }

  private settle(node: CompiledNode, inputs: Values, startedAt: number, outcome: NodeOutcome): void {
    const durationMs = this.options.now() - startedAt;
    if (outcome.ok) {
      const { output, report } = outcome;
      const run = {
        ...this.place,
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
    const run: NodeRun = {
      ...this.place,
      node: node.name,
      kind: node.kind,
      status,
      inputs,
      error,
      startedAt,
      durationMs,
    };
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
    if (isStream(run.output)) return;
    this.options.onEvent?.({ type: 'node-ended', ...this.place, run });
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
    return this.readForAggregation() ? outputs : {};
  }

  /** As in Prompt flow, what the aggregation nodes read of a row is looked for with its outputs. */
  private readForAggregation(): boolean {
    for (const binding of this.compiled.alsoRead) {
      const read = this.read(binding);
      if (read.ok) continue;
      this.error = read.error;
      return false;
    }
    return true;
  }

  private nodeAt(id: number | undefined): CompiledNode {
    const node = id === undefined ? undefined : this.compiled.nodes[id];
    if (node === undefined) throw new Error(`bug: no node ${id}`);
    return node;
  }
}
