import { existsSync } from 'node:fs';
import {
  type JsonObject,
  type JsonValue,
  type Plan,
  type RowResult,
  type RunnableFlow,
  readDefinition,
} from '@unroll/engine';
import { bindTestInputs } from '@unroll/promptflow';
import type { AnswerWatch } from '../flows/answer-watch.ts';
import type { FoundFlow } from '../flows/find-flow.ts';
import type { FlowSettings } from '../flows/flow-settings.ts';
import { openForRun } from '../flows/open-for-run.ts';
import { readInputs } from '../flows/read-inputs.ts';
import { missingInputs, unknownInputs } from '../flows/test-inputs.ts';
import { watchAnswers } from '../flows/watch-answers.ts';
import type { Reporter } from '../host/project-event.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { alsoHeard, notify, type ProjectHost } from '../host/project-host.ts';
import { digestNow, type RecordedRun, recordRun } from '../records/record-run.ts';
import { lockRun, type RunLock } from '../records/run-lock.ts';
import { type ChatShape, chatShapeOf, historyItem } from './chat-shape.ts';
import { givenHistory } from './given-history.ts';

export interface TurnSettings {
  readonly signal?: AbortSignal | undefined;
  /** Hears what happens in this turn; texts of models come while they are written, where somebody hears them. */
  readonly report?: Reporter | undefined;
}

/** One chat with a flow: what was said is handed to each next turn; each turn is a row of one record. */
export class Chat implements AsyncDisposable {
  readonly shape: ChatShape;
  readonly #flow: RunnableFlow;
  readonly #answers: AnswerWatch;
  readonly #found: FoundFlow;
  readonly #flowDigest: string;
  readonly #flowText: string;
  readonly #inputs: JsonObject;
  readonly #host: ProjectHost;
  /** What was said before the chat. */
  readonly #before: readonly JsonValue[];
  #history: readonly JsonValue[];
  #record: RecordedRun | undefined;
  /** Held as long as the record may still be written. */
  #lock: RunLock | undefined;
  #turns = 0;
  /** The last one that was begun. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Set once no turn is taken any more. */
  #closed: Promise<void> | undefined;

  /** @param inputs those that stay the same, and what was said before under the name of the history */
  constructor(flow: RunnableFlow, found: FoundFlow, inputs: JsonObject, host: ProjectHost) {
    this.shape = chatShapeOf(flow.plan);
    this.#flow = flow;
    this.#answers = watchAnswers(flow.plan);
    this.#found = found;
    this.#flowDigest = digestNow(flow.plan, found, host);
    this.#flowText = readDefinition(found, host.folder).text;
    this.#inputs = inputs;
    this.#host = host;
    this.#before = givenHistory(this.shape.history, inputs);
    this.#history = this.#before;
    checkOtherInputs(flow.plan, this.shape, inputs, host);
  }

  get plan(): Plan {
    return this.#flow.plan;
  }

  /** Turns that were recorded. */
  get turns(): number {
    return this.#turns;
  }

  /** Whether the files of its flow are others than those that it goes on with. */
  get isOutdated(): boolean {
    if (!existsSync(this.#found.file)) return true;
    const { text } = readDefinition(this.#found, this.#host.folder);
    return text !== this.#flowText || digestNow(this.plan, this.#found, this.#host) !== this.#flowDigest;
  }

  /** The record, which begins with the first turn. */
  get record(): RecordedRun | undefined {
    return this.#record;
  }

  /** Forgets what was said before, turns that have not ended yet included. */
  forget(): void {
    this.#turn = this.#turn.then(() => {
      this.#history = this.#before;
    });
  }

  /**
   * One turn, once those before it have ended. What failed is no part of the history.
   *
   * @throws ProjectFailure where nothing is said, or nothing that JSON can say, and once the chat is closed
   */
  async say(said: JsonValue, settings: TurnSettings = {}): Promise<RowResult> {
    const { name: input } = this.shape.input;
    const read = readInputs({ [input]: said })[input];
    if (read === undefined) throw missingInputs(this.plan.inputs.filter(({ name }) => name === input));
    if (this.#closed !== undefined) throw new ProjectFailure('the chat is closed', { code: 'ChatClosed' });
    const turn = this.#turn.then(() => this.#take(read, settings));
    this.#turn = turn.catch(() => undefined);
    return await turn;
  }

  async #take(said: JsonValue, { signal, report }: TurnSettings): Promise<RowResult> {
    const host = report === undefined ? this.#host : alsoHeard(this.#host, report);
    const record = this.#begunRecord();
    const line = this.#turns;
    const { history, input } = this.shape;
    const past = history === undefined ? {} : { [history]: this.#history };
    host.report({ type: 'row-started', line });
    const result = await this.#flow.runRow(
      { ...this.#inputs, [input.name]: said, ...past },
      {
        runId: record.id,
        line,
        onEvent: host.report,
        ...(signal === undefined ? {} : { signal }),
        ...(report === undefined ? {} : { streaming: { nodes: 'all', tokens: true } }),
      },
    );
    await record.store.append(result.nodes, result.row);
    for (const run of result.nodes) this.#answers.nodeEnded(run);
    host.report({ type: 'row-ended', row: result.row });
    this.#turns += 1;
    const { status, outputs } = result.row;
    if (status === 'Completed') this.#history = [...this.#history, historyItem(this.shape, said, outputs)];
    return result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#turn;
    using _lock = this.#lock;
    this.#answers.tell(this.#host);
    await this.#record?.store[Symbol.asyncDispose]();
    await this.#flow[Symbol.asyncDispose]();
  }

  #begunRecord(): RecordedRun {
    if (this.#record !== undefined) return this.#record;
    const settings = { options: { chat: true }, data: {}, flowDigest: this.#flowDigest };
    const record = recordRun(this.#flow, this.#found, settings, this.#host);
    this.#lock = lockRun(record.file, record.id);
    this.#record = record;
    const { id, file, path } = record;
    this.#host.report({ type: 'run-started', kind: 'row', plan: this.plan, record: { id, file, path } });
    return record;
  }
}

/**
 * Makes a flow ready to be talked with.
 *
 * @throws FlowNotReady when it cannot run
 * @throws ProjectFailure when it is no chat, or another input is missing
 */
export async function openChat(
  found: FoundFlow,
  inputs: JsonObject,
  settings: FlowSettings,
  host: ProjectHost,
): Promise<Chat> {
  const { flow } = await openForRun(found, settings, host);
  try {
    return new Chat(flow, found, inputs, host);
  } catch (error) {
    await flow[Symbol.asyncDispose]();
    throw error;
  }
}

function checkOtherInputs(plan: Plan, { input, history }: ChatShape, given: JsonObject, host: ProjectHost): void {
  const names = plan.inputs.map(({ name }) => name);
  for (const message of unknownInputs(given, names)) notify(host, { kind: 'warning', message });
  const bound = bindTestInputs(plan, given);
  const asked = bound.ok ? [] : bound.missing.filter((name) => name !== input.name && name !== history);
  if (asked.length > 0) throw missingInputs(plan.inputs.filter(({ name }) => asked.includes(name)));
}
