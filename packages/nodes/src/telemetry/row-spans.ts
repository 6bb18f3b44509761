import { type Attributes, type SpanContext, SpanKind } from '@opentelemetry/api';
import {
  type CallTracer,
  endedLoop,
  inTrace,
  isMapping,
  type NodeCall,
  type NodeOutcome,
  type NodeRun,
  type PlanNode,
  type RowError,
  stringifyJson,
  type TraceContext,
} from '@unroll/engine';
import { spanOfModelCall } from './model-call-span.ts';
import type { OpenSpan } from './open-span.ts';
import { fail, type Recorder, startSpan, traceContextOf } from './recorder.ts';
import { spanOfToolCall } from './tool-call-span.ts';

interface LoopSpan {
  readonly span: OpenSpan;
  /** Names of the nodes that its end left nothing to do for. */
  readonly bypassed: string[];
}

type Run = () => NodeOutcome | Promise<NodeOutcome>;

/**
 * The span of one row, and those of its loops and nodes while they are open; nodes find it as the context they run in. A node's
 * span begins when it runs and ends with its record, which has what is told of it: no secret is in a record.
 */
export class RowSpans implements TraceContext {
  readonly #recorder: Recorder;
  readonly #span: OpenSpan;
  readonly #nodes: ReadonlyMap<string, PlanNode>;
  readonly #loops = new Map<string, LoopSpan>();
  /** By node. */
  readonly #open = new Map<string, OpenSpan>();

  /** @param nodes of the flow, by name */
  constructor(recorder: Recorder, span: OpenSpan, nodes: ReadonlyMap<string, PlanNode>) {
    this.#recorder = recorder;
    this.#span = span;
    this.#nodes = nodes;
  }

  get traceparent(): string {
    return traceContextOf(this.#span).traceparent;
  }

  get tracestate(): string | undefined {
    return traceContextOf(this.#span).tracestate;
  }

  /** Runs a node in a span of its own, below that of its loop. */
  runNode(plan: PlanNode, { node, finished }: NodeCall, run: Run): NodeOutcome | Promise<NodeOutcome> {
    const span = this.#startNode(plan);
    if (finished?.has(node) === true) span.setAttribute('unroll.node.resumed', true);
    this.#open.set(node, span);
    return inTrace(new NodeTrace(this.#recorder, span), run);
  }

  nodeEnded(run: NodeRun): void {
    const plan = this.#nodes.get(run.node);
    if (plan === undefined) return;
    const span = this.#open.get(run.node);
    if (span === undefined && run.status === 'Bypassed') this.#bypassed(plan);
    if (span === undefined) return;
    this.#open.delete(run.node);
    reportRun(this.#recorder, span, run);
    const endTime = this.#recorder.now();
    span.end(endTime);
    const loop = endedLoop(plan.instance);
    if (loop !== undefined) this.#endLoop(loop, run, endTime);
  }

  /** The row is over: loops that gave no result failed as it did, and nodes that are still under way were given up. */
  end(error: RowError | undefined): void {
    const endTime = this.#recorder.now();
    const cause = error ?? { code: 'Canceled', message: 'the row ended before it did' };
    for (const span of [...this.#open.values(), ...[...this.#loops.values()].map((loop) => loop.span)]) {
      fail(span, cause);
      span.end(endTime);
    }
    this.#open.clear();
    this.#loops.clear();
    if (error !== undefined) fail(this.#span, error);
    this.#span.end(endTime);
  }

  #startNode(plan: PlanNode): OpenSpan {
    const { name } = plan;
    const start = { name, kind: SpanKind.INTERNAL, attributes: nodeAttributes(plan), startTime: this.#recorder.now() };
    return startSpan(this.#recorder, this.#parentOf(plan), start);
  }

  /** A node of a loop that is over is told with its loop; any other has a span of no length. */
  #bypassed(plan: PlanNode): void {
    const loop = this.#loops.get(plan.instance?.loop ?? '');
    if (loop !== undefined) {
      loop.bypassed.push(plan.name);
      return;
    }
    const span = this.#startNode(plan);
    span.setAttribute('unroll.node.status', 'Bypassed');
    span.end(this.#recorder.now());
  }

  #parentOf({ instance }: PlanNode): SpanContext {
    if (instance === undefined) return this.#span.spanContext();
    const ends = endedLoop(instance);
    const loop = ends !== undefined && this.#loops.has(ends) ? ends : instance.loop;
    return this.#loopSpan(loop, instance).spanContext();
  }

  /** The span of a loop is open from its first node to the one that gives its result. */
  #loopSpan(name: string, { outer }: NonNullable<PlanNode['instance']>): OpenSpan {
    const known = this.#loops.get(name);
    if (known !== undefined) return known.span;
    const around = outer === undefined ? this.#span : this.#loopSpan(outer.loop, { ...noOuter, loop: outer.loop });
    const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
    const start = {
      name: `invoke_agent ${name}`,
      kind: SpanKind.INTERNAL,
      attributes,
      startTime: this.#recorder.now(),
    };
    const span = startSpan(this.#recorder, around.spanContext(), start);
    this.#loops.set(name, { span, bypassed: [] });
    return span;
  }

  #endLoop(name: string, { output = null, error }: NodeRun, endTime: number): void {
    const loop = this.#loops.get(name);
    if (loop === undefined) return;
    this.#loops.delete(name);
    const { span, bypassed } = loop;
    const status = isMapping(output) ? output['status'] : undefined;
    if (typeof status === 'string') span.setAttribute('unroll.loop.status', status);
    if (bypassed.length > 0) span.setAttribute('unroll.loop.bypassed', bypassed);
    if (error !== undefined) fail(span, error);
    span.end(endTime);
  }
}

const noOuter = { family: '', iteration: 0 };

/** What a node runs in. Most nodes ask nobody: what only those that do read is made once it is read. */
class NodeTrace implements TraceContext {
  readonly #recorder: Recorder;
  readonly #span: OpenSpan;

  constructor(recorder: Recorder, span: OpenSpan) {
    this.#recorder = recorder;
    this.#span = span;
  }

  get traceparent(): string {
    return traceContextOf(this.#span).traceparent;
  }

  get tracestate(): string | undefined {
    return traceContextOf(this.#span).tracestate;
  }

  get calls(): CallTracer {
    return callTracer(this.#recorder, this.#span.spanContext());
  }
}

function callTracer(recorder: Recorder, parent: SpanContext): CallTracer {
  return {
    modelCall: (call, ask) => spanOfModelCall(recorder, parent, call, ask),
    toolCall: (call, make) => spanOfToolCall(recorder, parent, call, make),
  };
}

function nodeAttributes({ name, definition, instance }: PlanNode): Attributes {
  const node = { 'unroll.node.name': name, 'unroll.node.type': definition.type };
  if (instance === undefined) return node;
  const { loop, family, iteration } = instance;
  return { ...node, 'unroll.loop.name': loop, 'unroll.loop.family': family, 'unroll.loop.iteration': iteration };
}

function reportRun({ capturesContent }: Recorder, span: OpenSpan, run: NodeRun): void {
  const { status, cache, cachedFrom, oracle, error, inputs, output } = run;
  span.setAttribute('unroll.node.status', status);
  if (cache !== undefined) span.setAttribute('unroll.node.cache', cache);
  if (cachedFrom !== undefined) span.setAttribute('unroll.node.cached_from', cachedFrom);
  if (oracle === true) span.setAttribute('unroll.node.oracle', true);
  if (error !== undefined) fail(span, error);
  if (!capturesContent) return;
  if (inputs !== undefined) span.setAttribute('unroll.node.inputs', stringifyJson(inputs));
  if (output !== undefined) span.setAttribute('unroll.node.output', stringifyJson(output));
}
