import {
  type Connection,
  currentTrace,
  type ModelApi,
  type ModelCall,
  type ModelRequest,
  type ModelResult,
  type ModelService,
  type NodeError,
  type Redactor,
  redactedError,
} from '@unroll/engine';
import type { OpenService } from '../llm/find-service.ts';
import { passesOn } from '../llm/passes-on.ts';
import { withoutLogprobs } from '../llm/redacted-services.ts';
import { requestForm } from '../llm/request-form.ts';
import type { CallJournal } from './cassette-journal.ts';
import { type CassetteContent, isSameAnswer, type RecordedConnection } from './cassette-text.ts';
import { type MissedCall, type NearCall, nearestCall } from './nearest-call.ts';
import { callKey, type RecordedAnswer, type RecordedCall } from './recorded-call.ts';

/**
 * `replay`: answers from the cassette alone. `new`: answers what is on it, asks the model for the rest and adds that.
 * `all`: asks for everything again; what is not asked for any more is left out.
 */
export type CassetteMode = 'replay' | 'new' | 'all';

/** How far a run and its cassette have grown apart. */
export interface CassetteDrift {
  readonly used: number;
  readonly added: number;
  readonly unused: readonly NearCall[];
  readonly missed: readonly MissedCall[];
}

/** Model calls on record, and what became of them in this run. */
export class Cassette {
  readonly mode: CassetteMode;
  private readonly path: string;
  private readonly known: readonly RecordedCall[];
  private readonly byKey: ReadonlyMap<string, RecordedCall>;
  private readonly connections: Record<string, RecordedConnection>;
  private readonly redactor: Redactor;
  private readonly journal: CallJournal | undefined;
  private readonly used = new Set<string>();
  /** What other rows that ask the same are given: nothing that is a secret of the row that asked. */
  private readonly asked = new Map<string, Promise<ModelResult>>();
  private readonly added = new Map<string, { readonly call: RecordedCall; readonly places: number[] }>();
  private readonly missed = new Map<string, MissedCall>();

  /**
   * @param path for error texts
   * @param redactor what it knows, and what has the form of a key, is never written
   */
  constructor(mode: CassetteMode, content: CassetteContent, path: string, redactor: Redactor, journal?: CallJournal) {
    this.mode = mode;
    this.path = path;
    this.journal = journal;
    // What failed then may succeed now.
    this.known = mode === 'all' ? [] : mode === 'new' ? content.calls.filter((one) => !isPassedOn(one)) : content.calls;
    const known = new Map(this.known.map((call) => [callKey(call), call]));
    // What stands on the cassette already was left by a run that was killed just after it wrote.
    const begun = (journal?.begun ?? []).filter(({ call }) => !known.has(callKey(call)));
    const answered = begun.map(({ call }) => call).filter((call) => !isPassedOn(call));
    this.byKey = new Map([...known, ...answered.map((call) => [callKey(call), call] as const)]);
    for (const { row, call } of begun) this.added.set(callKey(call), { call, places: [row] });
    // Without what every object has by itself: a connection may be called `constructor`.
    this.connections = Object.assign(Object.create(null), content.connections);
    this.redactor = redactor;
  }

  /** The connection as far as replaying needs it: its name and type, nothing that leads anywhere. */
  connection(name: string): Connection | undefined {
    const recorded = this.connections[name];
    return recorded === undefined ? undefined : { name, type: recorded.type, configs: {}, secrets: {} };
  }

  connectionNames(): readonly string[] {
    return Object.keys(this.connections);
  }

  /** Opens the service behind a connection, recording or answering its calls. */
  serviceOpener(open: OpenService): OpenService {
    return async (connection) => {
      const recorded = this.mode === 'replay' ? this.connections[connection.name] : undefined;
      const real = recorded === undefined ? await open(connection) : undefined;
      if (recorded === undefined && real === undefined) return undefined;
      this.redactor.learnConnection(connection);
      if (this.mode !== 'replay') {
        this.connections[connection.name] = { type: connection.type, provider: requestForm(connection) };
      }
      return {
        call: (api, request, call) => this.answer({ api, request, call, connection: connection.name, real }),
      };
    };
  }

  /**
   * What is to be written: recorded calls in their order, then those of other runs, then new ones by row and node.
   *
   * @param now what is in the file now: another run may have recorded since this one read it
   */
  content(now: CassetteContent = nothing): CassetteContent {
    const added = [...this.added.entries()].map(([key, { call, places }]) => ({ key, call, row: Math.min(...places) }));
    added.sort(
      (one, other) => one.row - other.row || one.call.repeat - other.call.repeat || byName(one.call, other.call),
    );
    const others = this.othersOf(now);
    const names = Object.entries({ ...now.connections, ...this.connections }).sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
    const own = added.filter(({ key }) => !others.has(key)).map(({ call }) => call);
    return { connections: Object.fromEntries(names), calls: [...this.known, ...others.values(), ...own] };
  }

  /** How many calls of this run another one recorded as well, with another answer. */
  otherAnswers(now: CassetteContent): number {
    const others = [...this.othersOf(now)];
    return others.filter(([key, other]) => {
      const own = this.added.get(key)?.call;
      return own !== undefined && !isSameAnswer(own, other);
    }).length;
  }

  private othersOf({ calls }: CassetteContent): ReadonlyMap<string, RecordedCall> {
    const keyed = calls.map((call) => [callKey(call), call] as const);
    const own = new Set(this.known.map(callKey));
    return new Map(keyed.filter(([key, call]) => !own.has(key) && !isPassedOn(call)));
  }

  drift(): CassetteDrift {
    const unused = this.known.flatMap((call, index) =>
      this.used.has(callKey(call)) ? [] : [{ call, number: index + 1 }],
    );
    return { used: this.used.size, added: this.added.size, unused, missed: [...this.missed.values()] };
  }

  private answer(question: Asked): Promise<ModelResult> {
    const { api, connection, call } = question;
    const { node = '', line = 0, repeat = 0 } = call.caller ?? {};
    const request = (call.redactor ?? this.redactor).sharedValue(question.request);
    const fallback = call.turn?.isFirst === false ? { isFallback: true as const } : {};
    const asked = { node, repeat, connection, api, request, ...fallback };
    const key = callKey(asked);
    const recorded = this.byKey.get(key);
    this.added.get(key)?.places.push(line);
    if (recorded !== undefined) {
      this.used.add(key);
      currentTrace()?.replayed?.();
      return Promise.resolve(replayed(recorded.answer, call));
    }
    if (question.real === undefined || this.mode === 'replay') return Promise.resolve(this.miss(key, asked));
    const before = this.asked.get(key);
    if (before !== undefined) {
      currentTrace()?.replayed?.();
      return before;
    }
    const result = question.real.call(api, question.request, call);
    const shared = result.then((given): ModelResult => {
      const answer = this.recordable(given, call);
      if (answer !== undefined) this.add(key, { ...asked, answer }, line);
      if (answer === undefined || isPassedOn({ answer })) this.asked.delete(key);
      return this.shareable(given, call);
    });
    this.asked.set(key, shared);
    return shared.then(() => result);
  }

  private add(key: string, call: RecordedCall, row: number): void {
    this.added.set(key, { call, places: [row] });
    const connection = this.connections[call.connection];
    if (connection !== undefined) this.journal?.append({ row, call, connection });
  }

  /** Whether it was recorded by this run. */
  isOwn(call: RecordedCall): boolean {
    return this.added.has(callKey(call));
  }

  private shareable(result: ModelResult, { redactor = this.redactor }: ModelCall): ModelResult {
    if (!result.ok) return { ...result, error: redactedError(result.error, redactor) };
    const { whole, ...reply } = result.reply;
    return {
      ...result,
      reply: {
        ...reply,
        body: redactor.value(reply.body),
        ...(whole === undefined ? {} : { whole: redactor.value(whole) }),
      },
    };
  }

  /** A failure that may pass is not kept: the call is made again. */
  private recordable(
    result: ModelResult,
    { signal, turn, redactor = this.redactor }: ModelCall,
  ): RecordedAnswer | undefined {
    if (result.ok) {
      const body = redactor.sharedValue(result.reply.body);
      return { ...(body === result.reply.body ? result.reply : withoutLogprobs(result.reply)), body };
    }
    if (signal.aborted) return undefined;
    const error = { ...result.error, message: redactor.message(result.error.message) };
    if (turn?.isLast === false && passesOn(result)) return { error, isPassedOn: true };
    return error.retryable ? undefined : { error };
  }

  private miss(key: string, call: Omit<RecordedCall, 'answer'>): ModelResult {
    const nearest = nearestCall(call, this.known);
    this.missed.set(key, { call, nearest });
    return { ok: false, error: missError(this.path, nearest) };
  }
}

const nothing: CassetteContent = { connections: {}, calls: [] };

interface Asked {
  readonly api: ModelApi;
  readonly request: ModelRequest;
  readonly call: ModelCall;
  readonly connection: string;
  readonly real: ModelService | undefined;
}

/** Whether it failed, and another connection was asked then. */
function isPassedOn({ answer }: Pick<RecordedCall, 'answer'>): boolean {
  return 'error' in answer && answer.isPassedOn === true;
}

function replayed(answer: RecordedAnswer, { onText }: ModelCall): ModelResult {
  if ('error' in answer) return { ok: false, ...answer };
  const { body } = answer;
  const text = typeof body === 'string' ? body : (body as { readonly content?: unknown } | null)?.content;
  if (typeof text === 'string') onText?.(text);
  return { ok: true, reply: answer };
}

function missError(path: string, nearest: NearCall | undefined): NodeError {
  const near =
    nearest === undefined
      ? 'it holds no call at all'
      : `the nearest is call ${nearest.number}, of node ${nearest.call.node}; the report at the end shows the difference`;
  const message = `${path} holds no such call: ${near}. --record adds it.`;
  return { code: 'CassetteMiss', message, retryable: false };
}

function byName({ node: one }: RecordedCall, { node: other }: RecordedCall): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
