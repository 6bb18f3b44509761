import type { ChildProcess } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import {
  cutText,
  DepthError,
  type JsonValue,
  type OnPiece,
  parseOwnJson,
  type RemoteRead,
  stringifyJson,
} from '@unroll/engine';
import { parseSightings } from '../observe/parse-sightings.ts';
import { readHandleMarks, withHandleMarks } from '../python-objects/handle-marks.ts';
import type { ObjectPath } from '../python-objects/object-path.ts';
import { rememberOriginal } from '../python-objects/originals.ts';
import { type GivenRead, type HandleOwner, type KeptObject, PythonHandle } from '../python-objects/python-handle.ts';
import { endWithProcess } from './end-with-process.ts';
import { KeptEnd } from './kept-end.ts';
import { ReplyLines } from './reply-lines.ts';
import { endWorker, holdProcess, startWorker } from './start-worker.ts';
import { untilAborted } from './until-aborted.ts';
import { endOf } from './worker-end.ts';
import { isReply, type Reply, readOf, replyOf, tooDeep, type WireReply } from './worker-reply.ts';
import type { Waiting, WorkerSettings } from './worker-settings.ts';

const stderrKept = 4000;
const closingMs = 1000;

/** One Python process. Requests are written in one go at the end of the current turn; replies come in any order. */
export class WorkerProcess implements HandleOwner {
  readonly mark = `handle:${randomUUID()}`;
  /** Nodes this process has been told to load. */
  readonly loaded = new Set<string>();
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onExit: (worker: WorkerProcess) => void;
  readonly #onSeen: WorkerSettings['onSeen'];
  readonly #dropped = new FinalizationRegistry<number>((id) => this.#drops.push(id));
  #hasExited = false;
  #outgoing: string[] = [];
  #drops: number[] = [];
  readonly #replies = new ReplyLines();
  readonly #stderr = new KeptEnd(stderrKept);
  #closed: (() => void) | undefined;
  readonly #outliveProcess: () => void;

  constructor(settings: WorkerSettings, onExit: (worker: WorkerProcess) => void) {
    this.#onExit = onExit;
    this.#onSeen = settings.onSeen;
    this.#process = startWorker(settings);
    this.#process.on('error', (error) => this.#end(`it could not be started: ${error.message}`));
    this.#process.on('exit', (code, signal) => {
      endWorker(this.#process);
      this.#endSoon(endOf(code, signal));
    });
    this.#process.stdin?.on('error', () => undefined);
    this.#process.stdout?.on('error', () => undefined);
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#process.stderr?.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    this.#outliveProcess = endWithProcess(() => this.kill());
    holdProcess(this.#process, false);
    void this.request({ op: 'start', mark: this.mark, folder: settings.folder });
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /**
   * @param inputs JSON text, with handles as marks
   * @param isShared whether it is to tell which inputs it changed
   * @param trace headers of the trace that it belongs to, so that spans of the code stand below it
   */
  call(node: string, inputs: string, isShared: boolean, trace: Readonly<Record<string, string>>): Promise<Reply> {
    const id = this.#newId();
    const how = isShared ? 'shared' : '';
    const context = trace['traceparent'] === undefined ? '' : JSON.stringify(trace);
    return this.#send(id, `call\t${id}\t${how}\t${context}\t${JSON.stringify(node)}\t${inputs}`);
  }

  request(head: { readonly [key: string]: JsonValue }, onPiece?: OnPiece): Promise<Reply> {
    const id = this.#newId();
    return this.#send(id, stringifyJson({ ...head, id }), onPiece);
  }

  /** No number that code of a node would hit upon: an answer with any other is none of this worker's. */
  #newId(): number {
    const id = randomInt(2 ** 48 - 1);
    return this.#waiting.has(id) ? this.#newId() : id;
  }

  #send(id: number, line: string, onPiece?: OnPiece): Promise<Reply> {
    if (this.#hasExited) return Promise.resolve({ ok: false, crashed: 'it had ended', stderr: this.#stderr.text });
    if (this.#waiting.size === 0) holdProcess(this.#process, true);
    this.#write(line);
    return new Promise((resolve) => this.#waiting.set(id, { resolve, onPiece }));
  }

  readProperty(id: number, path: string, at: ObjectPath = []): Promise<RemoteRead> {
    return this.#ask({ op: 'read', handle: id, path, at });
  }

  describe(id: number, at: ObjectPath, names: readonly string[]): Promise<RemoteRead> {
    return this.#ask({ op: 'describe', handle: id, at, names });
  }

  equals(id: number, at: ObjectPath, other: JsonValue): Promise<RemoteRead> {
    const written = stringifyJson(withHandleMarks(other, this.mark, new Set(), this));
    return this.#ask({ op: 'equals', handle: id, at, other: written });
  }

  give(id: number, onPiece?: OnPiece, signal?: AbortSignal, at: ObjectPath = []): Promise<GivenRead> {
    const given = this.#ask({ op: 'give', handle: id, at, ...(onPiece === undefined ? {} : { tells: true }) }, onPiece);
    return untilAborted(given, signal, () => {
      if (this.#waiting.size === 1) this.#break('nobody waits for what it gives');
    });
  }

  pack(id: number): Promise<RemoteRead> {
    return this.#ask({ op: 'pack', handle: id });
  }

  taken(id: number): Promise<RemoteRead> {
    return this.#ask({ op: 'taken', handle: id });
  }

  async #ask(head: { readonly [key: string]: JsonValue }, onPiece?: OnPiece): Promise<GivenRead> {
    return readOf(await this.request(head, onPiece));
  }

  /** Lets the process end in order, so that it writes what it has buffered; ends it when that takes long. */
  close(): Promise<void> {
    if (this.#hasExited) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closed = resolve;
      holdProcess(this.#process, true);
      this.#process.stdin?.end();
      setTimeout(() => this.kill(), closingMs).unref();
    });
  }

  /** Ends the process at once, whatever it is doing. */
  kill(): void {
    if (!this.#hasExited) endWorker(this.#process);
  }

  #write(line: string): void {
    if (this.#outgoing.length === 0) queueMicrotask(() => this.#flush());
    this.#outgoing.push(line);
  }

  #flush(): void {
    if (this.#drops.length > 0) {
      this.#outgoing.push(stringifyJson({ op: 'drop', handles: this.#drops }));
      this.#drops = [];
    }
    const text = `${this.#outgoing.join('\n')}\n`;
    this.#outgoing = [];
    if (!this.#hasExited) this.#process.stdin?.write(text);
  }

  #read(chunk: Buffer): void {
    if (this.#hasExited) return;
    for (const line of this.#replies.cut(chunk)) this.#settle(line);
    if (this.#replies.isEndless) this.#break('it wrote a reply without end');
  }

  /** Where what comes is none of its replies, nothing that comes from it can be trusted any more. */
  #break(reason: string): void {
    endWorker(this.#process);
    this.#end(reason);
  }

  #settle(line: string): void {
    const message = this.#decode(line);
    const waiting = message === undefined ? undefined : this.#waiting.get(message.id);
    if (message === undefined || waiting === undefined) {
      this.#break(`it wrote what is no reply: ${JSON.stringify(cutText(line, 80))}`);
      return;
    }
    if (message.text !== undefined) {
      waiting.onPiece?.(message.text, message.item);
      return;
    }
    const seen = message.seen === undefined ? [] : parseSightings(message.seen);
    if (seen === undefined) {
      this.#break('it told otherwise than it should what code read');
      return;
    }
    this.#onSeen(seen);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) holdProcess(this.#process, false);
    const { value, original, kept = {} } = message;
    for (const { id, value: given } of Object.values(kept)) this.#remember(given, id);
    waiting.resolve(replyOf(message, original === undefined ? undefined : this.#remember(value, original)));
  }

  /** undefined for what is no reply. */
  #decode(line: string): WireReply | undefined {
    let parsed: JsonValue;
    try {
      parsed = parseOwnJson(line);
    } catch (error) {
      return error instanceof DepthError ? tooDeep(line) : undefined;
    }
    if (!isReply(parsed)) return undefined;
    const read = line.includes(this.mark) ? readHandleMarks(parsed, this.mark, (kept) => this.#handle(kept)) : parsed;
    return read as unknown as WireReply;
  }

  #handle(kept: KeptObject): PythonHandle {
    const handle = new PythonHandle(kept, this);
    this.#dropped.register(handle, kept.id);
    return handle;
  }

  /** @returns a handle where the value is a text or a number, which nothing can be remembered by */
  #remember(value: JsonValue, id: number): PythonHandle | undefined {
    if (rememberOriginal(value, this, id)) this.#dropped.register(value as object, id);
    else return this.#handle({ id, repr: '', type: '' });
    return undefined;
  }

  /** Replies already written are read first; a child of the worker may keep the other streams open for long. */
  #endSoon(reason: string): void {
    const end = (): void => this.#end(reason);
    if (this.#process.stdout?.closed !== false) end();
    else this.#process.stdout.once('close', end);
    setTimeout(end, 500).unref();
  }

  #end(reason: string): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    this.#outliveProcess();
    // What code of nodes started, and nothing could end, may hold its streams open.
    holdProcess(this.#process, false);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { resolve } of waiting) resolve({ ok: false, crashed: reason, stderr: this.#stderr.text });
    this.#onExit(this);
    this.#closed?.();
  }
}
