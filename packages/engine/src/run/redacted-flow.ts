import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { RedactedPieces } from '../secrets/redacted-pieces.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { HiddenInputs } from './hidden-inputs.ts';
import { redactedRow, redactedRun } from './redacted-run.ts';
import type { NodeEvent } from './run-event.ts';
import type { RowOptions, RunnableFlow } from './run-flow.ts';

type RunningFlow = Pick<RunnableFlow, 'runRow' | 'runAggregation' | 'runNode'>;
type PlannedFlow = RunningFlow & Pick<RunnableFlow, 'plan'>;

/**
 * The flow with no secret in anything it tells: records, events and outputs, and so whatever is written of them. What its nodes hand to
 * each other stays as it is.
 *
 * A row's inputs of type `secret` are secrets of that row alone: the same text in another row is no secret there, and nothing of them is
 * left when the row has ended. Nodes over all rows are given each row as it is told, without its secrets.
 */
export function redactedFlow(flow: PlannedFlow, redactor: Redactor): RunningFlow {
  const secretNames = flow.plan.inputs.filter(({ type }) => type === 'secret').map(({ name }) => name);
  const secrets = new HiddenInputs(flow.plan, secretNames);
  return {
    runRow: async (inputs, options = {}) => {
      const own = secrets.redactorOfRow(inputs, redactor);
      const records = new RedactedRecords(own ?? redactor, secrets, options);
      const { row, nodes } = await flow.runRow(inputs, {
        ...records.options(),
        ...(own === undefined ? {} : { redactor: own }),
      });
      return { row: records.row(row), nodes: nodes.map((run) => records.run(run)) };
    },
    runAggregation: async (rows, options = {}) => {
      const records = new RedactedRecords(redactor, secrets, options);
      const { nodes, metrics } = await flow.runAggregation(rows, records.options());
      return { nodes: nodes.map((run) => records.run(run)), metrics: redactor.value(metrics) };
    },
    runNode: async (node, inputs, options = {}) => {
      const own = secrets.redactorOfNode(node, inputs, redactor);
      const records = new RedactedRecords(own ?? redactor, secrets, options);
      return records.run(
        await flow.runNode(node, inputs, { ...records.options(), ...(own === undefined ? {} : { redactor: own }) }),
      );
    },
  };
}

/** What is told of one row. A record is redacted once: the same one is told as an event and with its row. */
class RedactedRecords {
  readonly #redactor: Redactor;
  readonly #secrets: HiddenInputs;
  readonly #options: RowOptions;
  readonly #runs = new Map<NodeRun, NodeRun>();
  /** By node and output. */
  readonly #streams = new Map<string, { readonly pieces: RedactedPieces; last: TextEvent }>();

  constructor(redactor: Redactor, secrets: HiddenInputs, options: RowOptions) {
    this.#redactor = redactor;
    this.#secrets = secrets;
    this.#options = options;
  }

  options(): RowOptions {
    const { onEvent } = this.#options;
    return onEvent === undefined ? this.#options : { ...this.#options, onEvent: (event) => this.#tell(event, onEvent) };
  }

  run(run: NodeRun): NodeRun {
    const before = this.#runs.get(run);
    if (before !== undefined) return before;
    const redacted = redactedRun(run, this.#redactor, this.#secrets.ofNode(run.node));
    this.#runs.set(run, redacted);
    return redacted;
  }

  row(row: RowRun): RowRun {
    for (const key of this.#streams.keys()) this.#end(key);
    return redactedRow(row, this.#redactor, this.#secrets.names);
  }

  #tell(event: NodeEvent, onEvent: (event: NodeEvent) => void): void {
    if (event.type === 'streams-begin') {
      onEvent({ ...event, outputs: this.#redactor.value(event.outputs) });
      return;
    }
    if (event.type === 'text' && event.item !== undefined) {
      onEvent({ ...event, text: this.#redactor.text(event.text), item: this.#redactor.value(event.item) });
      return;
    }
    if (event.type === 'text') {
      const key = `${event.node} ${event.output ?? ''}`;
      const open = this.#streams.get(key) ?? { pieces: this.#redactor.pieces(), last: event };
      this.#streams.set(key, open);
      open.last = event;
      for (const text of open.pieces.push(event.text)) onEvent({ ...event, text });
      return;
    }
    if (event.type === 'call-failed') {
      const { error } = event;
      onEvent({ ...event, error: { ...error, message: this.#redactor.text(error.message) } });
      return;
    }
    if (event.type === 'node-started') {
      onEvent(event);
      return;
    }
    this.#end(`${event.run.node} `);
    onEvent({ ...event, run: this.run(event.run) });
  }

  #end(key: string): void {
    const open = this.#streams.get(key);
    if (open === undefined) return;
    this.#streams.delete(key);
    for (const text of open.pieces.end()) this.#options.onEvent?.({ ...open.last, text });
  }
}

type TextEvent = Extract<NodeEvent, { readonly type: 'text' }>;
