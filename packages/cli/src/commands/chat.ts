import { type JsonValue, type RowResult, stringifyJson } from '@unroll/engine';
import { answerOf, type Chat, projectOn } from '@unroll/project';
import { errorLine, failureText } from '@unroll/project/words';
import { type BulkOptions, readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { createAnswerStream } from '../chat/answer-stream.ts';
import { readLine } from '../chat/read-message.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { readInputs } from '../inputs/read-inputs.ts';
import type { Io } from '../io.ts';
import type { ChatSettings } from '../options/flow-options.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { rowText } from '../reporters/row-text.ts';
import { type Style, styleOf } from '../text/style.ts';

/** `flow chat`: one turn a line, the history kept as long as the chat; each turn is a row of one record. */
export async function chat(settings: ChatSettings, io: Io): Promise<number> {
  const given = await readInputs({ file: settings.inputs, pairs: settings.input }, io);
  const inputs = { ...given.fromFile, ...given.fromPairs };
  const { flow: _, ...asked } = readBulkSettings(bulkOf(settings), io);
  await using opened = await projectOn(hostOf(settings, io)).chat(settings.flow, inputs, asked);
  return await new ChatTerminal(opened, settings, io).run();
}

function bulkOf({ connectionsFile: file, variant, env, init, runsDir }: ChatSettings): BulkOptions {
  return { connections: file === undefined ? [] : [file], variant, env, init, runsDir };
}

const help = [
  '/reset   forget what was said',
  '/show    what the nodes did for the last answer',
  '/image   PATH text: send a picture, where the flow takes one',
  '/exit    end the chat (so do Ctrl-C and Ctrl-D)',
  '//       starts a message with a slash',
  '',
].join('\n');

/** A chat at a terminal, or of lines that are piped in. */
class ChatTerminal {
  readonly #chat: Chat;
  readonly #settings: ChatSettings;
  readonly #io: Io;
  readonly #style: Style;
  #signal: AbortSignal | undefined;
  #last: RowResult | undefined;
  #failed = 0;

  constructor(opened: Chat, settings: ChatSettings, io: Io) {
    this.#chat = opened;
    this.#settings = settings;
    this.#io = io;
    this.#style = styleOf(io.stdout, io, settings.color);
  }

  async run(): Promise<ExitCode> {
    const io = this.#io;
    if (io.isInteractive) io.stdout.write(`${this.#style.dim(this.#welcome())}\n`);
    for (;;) {
      const line = await this.#nextLine();
      if (line === undefined || !(await this.#obey(line))) break;
    }
    await this.#sayWhereRecorded();
    if (this.#signal?.aborted === true) return exitCode.interrupted;
    return this.#failed > 0 && !io.isInteractive ? exitCode.failed : exitCode.done;
  }

  /** Undefined at the end of the input, and once the chat is interrupted: after the first turn nothing else ends the process. */
  #nextLine(): Promise<string | undefined> {
    const asked = this.#io.ask(`${this.#style.name('User:')} `);
    const signal = this.#signal;
    if (signal === undefined) return asked;
    const interrupted = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
    return Promise.race([asked, interrupted]);
  }

  #welcome(): string {
    const { shape, plan } = this.#chat;
    const forgets = shape.history === undefined ? '; it is told nothing of earlier turns' : '';
    return `chat with ${plan.name}${forgets}  (/help, /exit)`;
  }

  /** @returns false when the chat is over */
  async #obey(line: string): Promise<boolean> {
    const io = this.#io;
    const read = readLine(line, this.#chat.shape, this.#chat.plan, io);
    if (read.kind === 'exit') return false;
    if (read.kind === 'said') return this.#turn(read.value);
    if (read.kind === 'wrong') io.stderr.write(`${read.message}\n`);
    if (read.kind === 'help') io.stdout.write(help);
    if (read.kind === 'show') await this.#showLast();
    if (read.kind === 'reset') {
      this.#chat.forget();
      if (!this.#settings.json) io.stdout.write(`${this.#style.dim('what was said is forgotten')}\n`);
    }
    return true;
  }

  async #turn(said: JsonValue): Promise<boolean> {
    const io = this.#io;
    this.#signal ??= io.interruption();
    const answer = createAnswerStream(this.#chat.shape.answeringNode, io.stdout);
    if (!this.#settings.json && io.isInteractive) io.stdout.write(`${this.#style.good('Bot:')} `);
    const report = this.#settings.json ? undefined : answer.report;
    const result = await this.#chat.say(said, { signal: this.#signal, report });
    this.#last = result;
    this.#tell(result, answer.end);
    return !this.#signal.aborted;
  }

  #tell({ row, nodes }: RowResult, end: (answer: JsonValue) => void): void {
    const io = this.#io;
    const { line, status, outputs, error } = row;
    if (status !== 'Completed') this.#failed += 1;
    const shownError = error === undefined ? null : errorLine(error);
    if (this.#settings.json) io.stdout.write(`${stringifyJson({ line, status, outputs, error: shownError })}\n`);
    else if (status === 'Completed') end(answerOf(outputs, this.#chat.shape, nodes));
    else if (error !== undefined) io.stdout.write(`\n${failureText(error, { style: this.#style })}\n`);
  }

  async #showLast(): Promise<void> {
    const io = this.#io;
    const { record } = this.#chat;
    if (this.#last === undefined || record === undefined) {
      io.stderr.write('nothing was said yet\n');
      return;
    }
    const { row, nodes } = this.#last;
    const run = runArgument(record.id, this.#settings);
    const layout = { style: this.#style, columns: io.stdout.columns ?? 100 };
    const { store } = record;
    const rowCount = Object.values(await store.rowCounts()).reduce((sum, rows) => sum + rows, 0);
    const about = { info: store.info, rowCount, metrics: await store.metrics() };
    io.stdout.write(rowText({ ...about, row, nodes, run, ...layout }));
  }

  async #sayWhereRecorded(): Promise<void> {
    const { record, turns } = this.#chat;
    if (record === undefined) return;
    await record.store.ensureKept();
    if (this.#settings.json) return;
    this.#io.stderr.write(`\n${turns} ${turns === 1 ? 'turn' : 'turns'} recorded in ${record.path}\n`);
  }
}
