import type { NodeError } from '../node/node-error.ts';
import type { NodeOutcome, Originals } from '../node/node-type.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonObject } from '../value/json.ts';
import { holdsStream, mayLiveElsewhere } from '../value/remote-value.ts';
import type { CompiledNode, CompiledPlan } from './compile-plan.ts';
import { finishLive } from './finish-live.ts';
import type { RowPlace } from './forecast-row.ts';
import { nodeCall } from './node-call.ts';
import { givenUp, nodeRecord } from './node-record.ts';
import type { PlanRun, PlanRunOptions } from './plan-run.ts';
import { reportPieces } from './report-pieces.ts';
import { RowSoFar } from './row-so-far.ts';
import { RowValues } from './row-values.ts';

/**
 * Runs the nodes of a plan for one row. A node starts when all it waits for has completed or been bypassed; the first
 * failure stops new nodes from starting, those under way are waited for and recorded. Never rejects.
 *
 * O(nodes + edges); a node that answers at once costs no promise.
 */
export function runPlan(compiled: CompiledPlan, inputs: JsonObject, options: PlanRunOptions): Promise<PlanRun> {
  return new Promise((resolve, reject) => {
    new RowRunner(compiled, inputs, options, resolve, reject).drain();
  });
}

/** Milliseconds that nodes under way have to end by themselves once their row is given up. */
const giveUpAfterMs = 100;

class RowRunner {
  private readonly compiled: CompiledPlan;
  readonly inputs: JsonObject;
  private readonly options: PlanRunOptions;
  private readonly resolve: (run: PlanRun) => void;
  private readonly reject: (bug: unknown) => void;
  private readonly waitingFor: number[];
  private readonly ready: number[];
  private readonly values: RowValues;
  readonly soFar: RowSoFar;
  private readonly runs: (NodeRun | undefined)[];
  private readonly place: RowPlace;
  /** Nodes under way by id, and how many they are. */
  private readonly running: ({ readonly inputs: JsonObject; readonly startedAt: number } | undefined)[] = [];
  private underWay = 0;
  /** Nodes that wait for what they read in live values. */
  private asking = 0;
  private next = 0;
  private error: (NodeError & { readonly node?: string }) | undefined;
  private isDone = false;

  constructor(
    compiled: CompiledPlan,
    inputs: JsonObject,
    options: PlanRunOptions,
    resolve: (run: PlanRun) => void,
    reject: (bug: unknown) => void,
  ) {
    this.compiled = compiled;
    this.inputs = inputs;
    this.options = options;
    this.resolve = resolve;
    this.reject = reject;
    this.waitingFor = compiled.waitingFor.slice();
    this.ready = compiled.first.slice();
    this.values = new RowValues(inputs, compiled.nodes.length);
    this.runs = new Array<NodeRun | undefined>(compiled.nodes.length);
    const { line, repeat = 0 } = options;
    this.place = repeat === 0 ? { line } : { line, repeat };
    this.soFar = new RowSoFar((node) => this.completed(node), options.finished, options.now);
    options.signal.addEventListener('abort', this.giveUpLater, { once: true });
  }

  /** Starts all that can start; ends the row when nothing is left to wait for. */
  drain(): void {
    while (this.next < this.ready.length && this.goesOn()) {
      for (const node of this.passConditions()) {
        if (this.goesOn()) this.startBound(node);
      }
    }
    if (this.underWay === 0 && this.asking === 0 && !this.isDone) this.end();
  }

  private goesOn(): boolean {
    return this.error === undefined && !this.options.signal.aborted;
  }

  /**
   * Nodes that are ready and run, in order. All that is bypassed is so before any of them starts, and a
   * condition that cannot be read lets none start.
   */
  private passConditions(): readonly CompiledNode[] {
    const passed: CompiledNode[] = [];
    while (this.next < this.ready.length && this.error === undefined) {
      const node = this.nodeAt(this.ready[this.next++]);
      if (!this.waitsForLive(node) && this.passesCondition(node)) passed.push(node);
    }
    return passed;
  }

  private passesCondition(node: CompiledNode): boolean {
    const condition = this.values.condition(node);
    if (!condition.ok) this.error = { ...condition.error, node: node.name };
    else if (condition.bypassed) this.bypass(node);
    else return true;
    return false;
  }

  private end(): void {
    this.isDone = true;
    this.options.signal.removeEventListener('abort', this.giveUpLater);
    if (mayLiveElsewhere()) this.endLive();
    else this.resolve(this.result());
  }

  /** What lives elsewhere is asked for what the flow gives of it; what streams gave goes to their records. */
  private endLive(): void {
    const { outputs, alsoRead } = this.compiled;
    const { onEvent, streaming, signal } = this.options;
    const isReported = onEvent !== undefined && streaming !== undefined;
    const pieces = isReported ? reportPieces(this.compiled, this.place, onEvent) : undefined;
    const read = this.goesOn() ? [...outputs.map(({ binding }) => binding), ...alsoRead] : [];
    const ended = Promise.all(this.values.resolveRemote(read))
      .then(() => finishLive(this.result(), pieces, signal))
      .then((finished) => {
        for (const { run } of finished.late) onEvent?.({ type: 'node-ended', ...this.place, run });
        return finished.run;
      });
    ended.then(this.resolve, this.reject);
  }

  /** Whether the node waits for what it reads in values that live elsewhere; it starts when that is there. */
  private waitsForLive(node: CompiledNode): boolean {
    const reads = this.values.resolveFor(node);
    if (reads.length === 0) return false;
    this.asking += 1;
    const whenThere = (): void => {
      this.asking -= 1;
      if (this.isDone) return;
      if (this.goesOn() && this.passesCondition(node)) this.startBound(node);
      this.drain();
    };
    Promise.all(reads).then(whenThere).catch(this.reject);
    return true;
  }

  /** Nodes under way are told by their signal; what has not ended soon after is given up. */
  private readonly giveUpLater = (): void => {
    setTimeout(() => this.giveUp(), giveUpAfterMs);
  };

  private giveUp(): void {
    if (this.isDone) return;
    for (const [id, started] of this.running.entries()) {
      if (started === undefined) continue;
      this.settle(this.nodeAt(id), started.inputs, started.startedAt, givenUp(this.options.signal));
    }
    this.end();
  }

  private startBound(node: CompiledNode): void {
    const bound = this.values.bind(node);
    if (bound.ok) this.runNode(node, bound.values, bound.originals);
    else this.error = { ...bound.error, node: node.name };
  }

  private bypass(node: CompiledNode): void {
    this.values.bypass(node.id);
    this.record(node, { ...this.place, node: node.name, kind: node.kind, status: 'Bypassed', output: null });
    this.release(node);
  }

  private runNode(node: CompiledNode, inputs: JsonObject, originals: Originals | undefined): void {
    this.options.onEvent?.({ type: 'node-started', ...this.place, node: node.name });
    const startedAt = this.options.now();
    let outcome: NodeOutcome | Promise<NodeOutcome>;
    try {
      outcome = node.prepared.run(inputs, nodeCall(node, this.place, this, this.options, originals));
    } catch (bug) {
      this.reject(bug);
      return;
    }
    if (!(outcome instanceof Promise)) {
      this.settle(node, inputs, startedAt, outcome);
      return;
    }
    this.running[node.id] = { inputs, startedAt };
    this.underWay += 1;
    const whenEnded = (ended: NodeOutcome): void => {
      if (this.isDone) return;
      this.running[node.id] = undefined;
      this.underWay -= 1;
      this.settle(node, inputs, startedAt, ended);
      this.drain();
    };
    // Who hears of the node may throw as well.
    outcome.then(whenEnded).catch(this.reject);
  }

  private completed(name: string): NodeRun | undefined {
    const run = this.runs[this.compiled.idOf.get(name) ?? -1];
    return run?.status === 'Completed' ? run : undefined;
  }

  private settle(node: CompiledNode, inputs: JsonObject, startedAt: number, outcome: NodeOutcome): void {
    const run = nodeRecord(
      node,
      this.place,
      { inputs, startedAt, durationMs: this.options.now() - startedAt },
      outcome,
    );
    if (outcome.ok) {
      this.values.complete(node.id, outcome.output, outcome.original);
      this.values.change(inputs, outcome);
    } else this.error ??= { ...outcome.error, node: node.name };
    this.record(node, run);
    if (outcome.ok) this.release(node);
  }

  /** What waited for the node waits no longer. */
  private release(node: CompiledNode): void {
    for (const dependent of node.dependents) {
      const left = (this.waitingFor[dependent] as number) - 1;
      this.waitingFor[dependent] = left;
      if (left === 0) this.ready.push(dependent);
    }
  }

  private record(node: CompiledNode, run: NodeRun): void {
    this.runs[node.id] = run;
    if (holdsStream(run.output)) return;
    this.options.onEvent?.({ type: 'node-ended', ...this.place, run });
  }

  private result(): PlanRun {
    const { runs } = this;
    const canceled = this.options.signal.aborted;
    if (this.error !== undefined) return { runs, outputs: {}, error: this.error, canceled };
    if (canceled) return { runs, outputs: {}, canceled };
    const read = this.values.outputs(this.compiled);
    return read.ok ? { runs, outputs: read.values, canceled } : { runs, outputs: {}, error: read.error, canceled };
  }

  private nodeAt(id: number | undefined): CompiledNode {
    const node = id === undefined ? undefined : this.compiled.nodes[id];
    if (node === undefined) throw new Error(`bug: no node ${id}`);
    return node;
  }
}
