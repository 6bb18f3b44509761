import { type JsonObject, type JsonValue, type RowResult, type RunnableFlow, stringifyJson } from '@unroll/engine';
import {
  type FoundFlow,
  findFlow,
  missingInputs,
  openForRun,
  type RecordedRun,
  recordRun,
  unknownInputs,
} from '@unroll/project';
import { bindTestInputs } from '@unroll/promptflow';
import { type GivenBulk, readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { createAnswerStream } from '../chat/answer-stream.ts';
import { type ChatShape, chatShapeOf, historyItem } from '../chat/chat-shape.ts';
import { readLine } from '../chat/read-message.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { readInputs } from '../inputs/read-inputs.ts';
import type { Io } from '../io.ts';
import type { ChatSettings } from '../options/flow-options.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { errorLine, failureText } from '../reporters/failure-text.ts';
import { rowText } from '../reporters/row-text.ts';
import { createStyle, type Style, usesColor } from '../text/style.ts';

/** `flow chat`: one turn a line, the history kept as long as the chat; each turn is a row of one record. */
export async function chat(settings: ChatSettings, io: Io): Promise<number> {
  const found = findFlow(settings.flow, io);
  const given = await readInputs({ file: settings.inputs, pairs: settings.input }, io);
  const opened = await openForRun(found, readBulkSettings(bulkOf(settings), io), hostOf(settings, io));
  await using flow = opened.flow;
  const shape = chatShapeOf(flow.plan);
  const inputs = { ...given.fromFile, ...given.fromPairs };
  checkOtherInputs(flow, shape, inputs, io);
  await using session = new ChatSession(flow, found, shape, inputs, settings, io);
  return await session.run();
}

function bulkOf({ connectionsFile: file, variant, env, init, runsDir }: ChatSettings): GivenBulk {
  return { connections: file === undefined ? [] : [file], variant, env, init, runsDir };
}

function checkOtherInputs(flow: RunnableFlow, { input, history }: ChatShape, given: JsonObject, io: Io): void {
  const { inputs } = flow.plan;
  for (const warning of unknownInputs(
    given,
    inputs.map(({ name }) => name),
  ))
    io.stderr.write(`warning: ${warning}\n`);
  const bound = bindTestInputs(flow.plan, given);
  const asked = bound.ok ? [] : bound.missing.filter((name) => name !== input.name && name !== history);
  if (asked.length > 0) throw missingInputs(inputs.filter(({ name }) => asked.includes(name)));
}

const help = [
  '/reset   forget what was said',
  '/show    what the nodes did for the last answer',
  '/image   PATH text: send a picture, where the flow takes one',
  '/exit    end the chat (so do Ctrl-C and Ctrl-D)',
  '//       starts a message with a slash',
  '',
].join('\n');

/** One chat: what was said, and its record, which begins with the first turn. */
class ChatSession implements AsyncDisposable {
  readonly #flow: RunnableFlow;
  readonly #found: FoundFlow;
  readonly #shape: ChatShape;
  readonly #inputs: JsonObject;
  readonly #settings: ChatSettings;
  readonly #io: Io;
  readonly #style: Style;
  #history: readonly JsonValue[];
  #record: RecordedRun | undefined;
  #signal: AbortSignal | undefined;
  #last: RowResult | undefined;
  #turns = 0;
  #failed = 0;

  constructor(
    flow: RunnableFlow,
    found: FoundFlow,
    shape: ChatShape,
    inputs: JsonObject,
    settings: ChatSettings,
    io: Io,
  ) {
    this.#flow = flow;
    this.#found = found;
    this.#shape = shape;
    this.#inputs = inputs;
    this.#settings = settings;
    this.#io = io;
    this.#style = createStyle(usesColor(io.stdout, io, settings.color));
    this.#history = this.#firstHistory();
  }

  async run(): Promise<ExitCode> {
    const io = this.#io;
    if (io.isInteractive) io.stdout.write(`${this.#style.dim(this.#welcome())}\n`);
    for (;;) {
      const line = await io.ask(`${this.#style.name('User:')} `);
      if (line === undefined || !(await this.#obey(line))) break;
    }
    this.#sayWhereRecorded();
    if (this.#signal?.aborted === true) return exitCode.interrupted;
    return this.#failed > 0 && !io.isInteractive ? exitCode.failed : exitCode.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#record?.store[Symbol.asyncDispose]();
  }

  #firstHistory(): readonly JsonValue[] {
    const given = this.#inputs[this.#shape.history ?? ''];
    return Array.isArray(given) ? (given as readonly JsonValue[]) : [];
  }

  #welcome(): string {
    const forgets = this.#shape.history === undefined ? '; it is told nothing of earlier turns' : '';
    return `chat with ${this.#flow.plan.name}${forgets}  (/help, /exit)`;
  }

  /** @returns false when the chat is over */
  async #obey(line: string): Promise<boolean> {
    const io = this.#io;
    const read = readLine(line, this.#shape, this.#flow.plan, io);
    if (read.kind === 'exit') return false;
    if (read.kind === 'said') return this.#turn(read.value);
    if (read.kind === 'wrong') io.stderr.write(`${read.message}\n`);
    if (read.kind === 'help') io.stdout.write(help);
    if (read.kind === 'show') this.#showLast();
    if (read.kind === 'reset') {
      this.#history = this.#firstHistory();
      if (!this.#isJson()) io.stdout.write(`${this.#style.dim('what was said is forgotten')}\n`);
    }
    return true;
  }

  async #turn(said: JsonValue): Promise<boolean> {
    const io = this.#io;
    const record = this.#startRecord();
    this.#signal ??= io.interruption();
    const answer = createAnswerStream(this.#shape.answeringNode, io.stdout);
    if (!this.#isJson() && io.isInteractive) io.stdout.write(`${this.#style.good('Bot:')} `);
    const { history, input } = this.#shape;
    const inputs = {
      ...this.#inputs,
      [input.name]: said,
      ...(history === undefined ? {} : { [history]: this.#history }),
    };
    const result = await this.#flow.runRow(inputs, {
      runId: record.id,
      line: this.#turns,
      signal: this.#signal,
      ...(this.#isJson() ? {} : { onEvent: answer.listen, streaming: { nodes: 'all', tokens: true } as const }),
    });
    await record.store.append(result.nodes, result.row);
    this.#turns += 1;
    this.#last = result;
    this.#take(result, said, answer.end);
    return !this.#signal.aborted;
  }

  #take({ row }: RowResult, said: JsonValue, end: (answer: JsonValue) => void): void {
    const io = this.#io;
    const { output } = this.#shape;
    const { line, status, outputs, error } = row;
    if (status === 'Completed') this.#history = [...this.#history, historyItem(this.#shape, said, outputs)];
    else this.#failed += 1;
    const told = error === undefined ? null : errorLine(error);
    if (this.#isJson()) io.stdout.write(`${stringifyJson({ line, status, outputs, error: told })}\n`);
    else if (status === 'Completed') end(output === undefined ? outputs : (outputs[output] ?? null));
    else if (error !== undefined) io.stdout.write(`\n${failureText(error, { style: this.#style })}\n`);
  }

  #showLast(): void {
    const io = this.#io;
    if (this.#last === undefined || this.#record === undefined) {
      io.stderr.write('nothing was said yet\n');
      return;
    }
    const { row, nodes } = this.#last;
    const { store, id } = this.#record;
    io.stdout.write(
      rowText({
        store,
        row,
        nodes,
        run: runArgument(id, this.#settings),
        style: this.#style,
        columns: io.stdout.columns ?? 100,
      }),
    );
  }

  #startRecord(): RecordedRun {
    this.#record ??= recordRun(
      this.#flow,
      this.#found,
      { options: { chat: true }, data: {} },
      hostOf(this.#settings, this.#io),
    );
    return this.#record;
  }

  #sayWhereRecorded(): void {
    const io = this.#io;
    this.#record?.store.ensureKept();
    if (this.#record === undefined || this.#isJson()) return;
    const turns = `${this.#turns} ${this.#turns === 1 ? 'turn' : 'turns'}`;
    io.stderr.write(`\n${turns} recorded in ${this.#record.path}\n`);
  }

  #isJson(): boolean {
    return this.#settings.json;
  }
}
