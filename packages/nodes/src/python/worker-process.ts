import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  DepthError,
  depthMessage,
  type JsonObject,
  type JsonValue,
  type NodeError,
  parseOwnJson,
  type RemoteRead,
  stringifyJson,
} from '@unroll/engine';
import { parseSightings } from '../observe/parse-sightings.ts';
import type { Sighting } from '../observe/sighting.ts';
import {
  type HandleOwner,
  type KeptObject,
  PythonHandle,
  readHandleMarks,
  rememberOriginal,
} from '../python-objects/python-handle.ts';
import { endWithProcess } from './end-with-process.ts';
import type { PythonStandIn } from './python-stand-ins.ts';

/** How to start workers: the same for all of a flow. */
export interface WorkerSettings {
  readonly command: string;
  /** Absolute; becomes the working folder. */
  readonly folder: string;
  /** Variables beside those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly standIns: readonly PythonStandIn[];
  /** Told of what code was seen to read, before the replies that it had a part in. */
  readonly onSeen: (sightings: readonly Sighting[]) => void;
}

/** What the worker answers: a value, or the user's exception; `crashed` when there is no worker any more. */
export type Reply =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly report: ReplyReport;
      readonly changed?: JsonObject;
      readonly shown?: string;
      /** The value is a copy of an object that JSON does not give again. */
      readonly inexact?: 'copied';
    }
  | { readonly ok: false; readonly failure: PythonFailure; readonly report: ReplyReport }
  | { readonly ok: false; readonly crashed: string; readonly stderr: string };

export interface ReplyReport {
  readonly logs?: { readonly stdout: string; readonly stderr: string };
  readonly metrics?: { readonly [key: string]: JsonValue };
}

/** An exception of Python; `isPlain` where it is told as it is, and not as a failure of the node that raised it. */
export interface PythonFailure {
  readonly type: string;
  readonly message: string;
  readonly frames: readonly string[];
  readonly isPlain?: true;
  readonly cause?: { readonly type: string; readonly message: string };
}

const workerFile = fileURLToPath(new URL('./worker/worker.py', import.meta.url));
const stderrKept = 4000;
const closingMs = 1000;
/** The worker itself refuses to give more. */
const mostReplyBytes = 300 * 2 ** 20;
const ownGroup = process.platform !== 'win32';

/** One Python process. Requests are written in one go at the end of the current turn; replies come in any order. */
export class WorkerProcess implements HandleOwner {
  readonly mark = `handle:${randomUUID()}`;
  /** Nodes this process has been told to load. */
  readonly loaded = new Set<string>();
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onExit: (worker: WorkerProcess) => void;
  readonly #onSeen: WorkerSettings['onSeen'];
  readonly #dropped = new FinalizationRegistry<number>((id) => this.#dropLater(id));
  #hasExited = false;
  #incomingBytes = 0;
  #outgoing: string[] = [];
  #drops: number[] = [];
  #incoming: Buffer[] = [];
  #stderr = '';
  #closed: (() => void) | undefined;
  readonly #outliveProcess: () => void;

  constructor(settings: WorkerSettings, onExit: (worker: WorkerProcess) => void) {
    this.#onExit = onExit;
    this.#onSeen = settings.onSeen;
    this.#process = spawn(
      settings.command,
      [workerFile, ...settings.standIns.flatMap(({ folder, unless }) => [folder, unless])],
      {
        cwd: settings.folder,
        env: { ...process.env, ...settings.environment },
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
        // A group of its own: an interrupt from the terminal reaches only us, and what user code started can be ended too.
        detached: ownGroup,
      },
    );
    this.#process.on('error', (error) => this.#end(`it could not be started: ${error.message}`));
    this.#process.on('exit', (code, signal) => {
      this.#endGroup();
      this.#endSoon(endOf(code, signal));
    });
    this.#process.stdin?.on('error', () => undefined);
    this.#process.stdout?.on('error', () => undefined);
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-stderrKept);
    });
    this.#outliveProcess = endWithProcess(() => this.kill());
    this.#keepAlive(false);
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
   */
  call(node: string, inputs: string, isShared: boolean): Promise<Reply> {
    const id = this.#newId();
    return this.#send(id, `call\t${id}\t${isShared ? 'shared' : ''}\t${JSON.stringify(node)}\t${inputs}`);
  }

  request(head: { readonly [key: string]: JsonValue }, onText?: (text: string) => void): Promise<Reply> {
    const id = this.#newId();
    return this.#send(id, stringifyJson({ ...head, id }), onText);
  }

  /** No number that code of a node would hit upon: an answer with any other is none of this worker's. */
  #newId(): number {
    const id = randomInt(2 ** 48 - 1);
    return this.#waiting.has(id) ? this.#newId() : id;
  }

  #send(id: number, line: string, onText?: (text: string) => void): Promise<Reply> {
    if (this.#hasExited) return Promise.resolve({ ok: false, crashed: 'it had ended', stderr: this.#stderr });
    if (this.#waiting.size === 0) this.#keepAlive(true);
    this.#write(line);
    return new Promise((resolve) => this.#waiting.set(id, { resolve, onText }));
  }

  readProperty(id: number, path: string): Promise<RemoteRead> {
    return this.#ask({ op: 'read', handle: id, path });
  }

  give(id: number, onText?: (text: string) => void): Promise<RemoteRead> {
    return this.#ask({ op: 'give', handle: id, ...(onText === undefined ? {} : { tells: true }) }, onText);
  }

  pack(id: number): Promise<RemoteRead> {
    return this.#ask({ op: 'pack', handle: id });
  }

  taken(id: number): Promise<RemoteRead> {
    return this.#ask({ op: 'taken', handle: id });
  }

  async #ask(head: { readonly [key: string]: JsonValue }, onText?: (text: string) => void): Promise<RemoteRead> {
    const reply = await this.request(head, onText);
    if (reply.ok) return { ok: true, value: reply.value };
    if ('crashed' in reply) return { ok: false, error: { type: 'WorkerCrashed', message: reply.crashed } };
    return { ok: false, error: { type: reply.failure.type, message: reply.failure.message } };
  }

  /** Lets the process end in order, so that it writes what it has buffered; ends it when that takes long. */
  close(): Promise<void> {
    if (this.#hasExited) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closed = resolve;
      this.#keepAlive(true);
      this.#process.stdin?.end();
      setTimeout(() => this.kill(), closingMs).unref();
    });
  }

  /** Ends the process at once, whatever it is doing. */
  kill(): void {
    if (!this.#hasExited) this.#endGroup();
  }

  /** Whatever is left of it: what code of nodes started, too. */
  #endGroup(): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(ownGroup ? -pid : pid, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
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
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#incoming.push(chunk.subarray(start, end));
      const line = this.#incoming.length === 1 ? (this.#incoming[0] as Buffer) : Buffer.concat(this.#incoming);
      this.#incoming = [];
      this.#incomingBytes = 0;
      start = end + 1;
      this.#settle(line.toString('utf8'));
    }
    if (start === chunk.length) return;
    this.#incoming.push(chunk.subarray(start));
    this.#incomingBytes += chunk.length - start;
    if (this.#incomingBytes > mostReplyBytes) this.#break('it wrote a reply without end');
  }

  /** Where what comes is none of its replies, nothing that comes from it can be trusted any more. */
  #break(reason: string): void {
    this.#endGroup();
    this.#end(reason);
  }

  #settle(line: string): void {
    const message = this.#decode(line);
    const waiting = message === undefined ? undefined : this.#waiting.get(message.id);
    if (message === undefined || waiting === undefined) {
      this.#break(`it wrote what is no reply: ${JSON.stringify(line.slice(0, 80))}`);
      return;
    }
    if (message.text !== undefined) {
      waiting.onText?.(message.text);
      return;
    }
    const seen = message.seen === undefined ? [] : parseSightings(message.seen);
    if (seen === undefined) {
      this.#break('it told otherwise than it should what code read');
      return;
    }
    this.#onSeen(seen);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#keepAlive(false);
    if (message.original !== undefined) this.#remember(message.value, message.original);
    waiting.resolve(replyOf(message));
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

  /** A handle is an original itself. */
  #remember(value: JsonValue, id: number): void {
    if (!rememberOriginal(value, this, id)) this.#dropLater(id);
    else this.#dropped.register(value as object, id);
  }

  #dropLater(id: number): void {
    this.#drops.push(id);
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
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { resolve } of waiting) resolve({ ok: false, crashed: reason, stderr: this.#stderr });
    this.#onExit(this);
    this.#closed?.();
  }

  /** An idle worker does not keep this process from ending. */
  #keepAlive(needed: boolean): void {
    const { stdin, stdout, stderr } = this.#process as unknown as Record<'stdin' | 'stdout' | 'stderr', RefCounted>;
    for (const handle of [this.#process, stdin, stdout, stderr]) {
      if (needed) handle.ref?.();
      else handle.unref?.();
    }
  }
}

const idPattern = /^\{"id":(\d+),/;

/** A reply whose value is too deep to be read is its call's failure. */
function tooDeep(line: string): WireReply | undefined {
  const [, id] = idPattern.exec(line) ?? [];
  if (id === undefined) return undefined;
  const error = { type: 'ValueError', message: `its output is ${depthMessage()}`, frames: [] };
  return { id: Number(id), ok: false, value: null, error };
}

function isReply(value: JsonValue): boolean {
  const { id, ok, text, error } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    JsonValue
  >;
  if (typeof id !== 'number') return false;
  return ok === true || typeof text === 'string' || (ok === false && typeof error === 'object' && error !== null);
}

/** As `channels.py` has it. */
const lostChannel = 121;

function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === lostChannel) return 'the code of a node closed its way to the engine';
  if (signal === 'SIGKILL') return 'signal SIGKILL: where nobody sent it, the system was short of memory';
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

function replyOf({ ok, value, error, logs, metrics, changed, shown, original }: WireReply): Reply {
  const report: ReplyReport = { ...(logs !== undefined && { logs }), ...(metrics !== undefined && { metrics }) };
  if (!ok) return { ok, failure: error, report };
  const told = { ...(changed !== undefined && { changed }), ...(shown !== undefined && { shown }) };
  return { ok, value, report, ...told, ...(original !== undefined && { inexact: 'copied' }) };
}

/** The error of a node whose worker is gone. */
export function crashedError(reason: string): NodeError {
  return {
    code: 'WorkerCrashed',
    message: `the Python worker ended while this node ran (${reason})`,
    retryable: true,
  };
}

interface RefCounted {
  ref?(): void;
  unref?(): void;
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly onText: ((text: string) => void) | undefined;
}

interface WireReply {
  readonly id: number;
  /** A piece of a stream; the reply itself comes after the last one. */
  readonly text?: string;
  readonly ok: boolean;
  readonly value: JsonValue;
  /** Number of the object that the value is a copy of, where JSON does not give it again. */
  readonly original?: number;
  /** Inputs that the call changed, as they are now. */
  readonly changed?: JsonObject;
  /** What code was seen to read since the last reply. */
  readonly seen?: JsonValue;
  /** The value as its record shows it, where JSON cannot carry all that is in it. */
  readonly shown?: string;
  readonly error: PythonFailure;
  readonly logs?: { readonly stdout: string; readonly stderr: string };
  readonly metrics?: { readonly [key: string]: JsonValue };
}
