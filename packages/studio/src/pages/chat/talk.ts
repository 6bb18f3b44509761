import { signal } from '@preact/signals';
import type { ChatAnswer, SpokenOutputs } from '@unroll/project/studio-contract';
import { readEvents } from '../../load/read-events.ts';

type NodeStatus = Extract<ChatAnswer, { readonly type: 'node' }>['status'];
type Ended = Extract<ChatAnswer, { readonly type: 'ended' }>;

/** One thing that was said, and what came back. */
export interface TalkTurn {
  readonly said: string;
  /** Row of the record; undefined until it began. */
  readonly line?: number;
  /** As it comes. */
  readonly text: string;
  readonly statuses: ReadonlyMap<string, NodeStatus>;
  /** `refused`: nothing of it is recorded. */
  readonly status: 'Running' | Ended['status'] | 'refused';
  readonly answer?: SpokenOutputs;
  /** In the words of the terminal. */
  readonly error?: string;
  /** The flow's files have changed since the chat was begun. */
  readonly isOutdated?: boolean;
}

/** What is said with one flow; it stays while the studio is open, whatever page is shown. */
export interface Talk {
  readonly flow: string;
  /** Id of the record, known from the first turn on. */
  readonly chat?: string;
  readonly turns: readonly TalkTurn[];
}

/** By the path of the flow. */
const talks = signal<Readonly<Record<string, Talk>>>({});
const stopping = new Map<string, AbortController>();

export function talkWith(flow: string): Talk {
  return talks.value[flow] ?? { flow, turns: [] };
}

export function isRunning({ turns }: Talk): boolean {
  return turns.at(-1)?.status === 'Running';
}

/** Forgets what was said; the record stays. */
export function beginAgain(flow: string): void {
  stop(flow);
  talks.value = { ...talks.peek(), [flow]: { flow, turns: [] } };
}

export function stop(flow: string): void {
  stopping.get(flow)?.abort();
}

export async function talk(flow: string, message: string, inputs: Readonly<Record<string, string>>): Promise<void> {
  const begun = talks.peek()[flow] ?? { flow, turns: [] };
  const at = begun.turns.length;
  const turn: TalkTurn = { said: message, text: '', statuses: new Map(), status: 'Running' };
  talks.value = { ...talks.peek(), [flow]: { ...begun, turns: [...begun.turns, turn] } };
  const end = new AbortController();
  stopping.set(flow, end);
  const change = (how: (turn: TalkTurn) => TalkTurn, chat?: string): void => {
    const now = talks.peek()[flow];
    // Another chat was begun meanwhile.
    if (now === undefined || now.turns[at]?.said !== message) return;
    const turns = now.turns.map((one, index) => (index === at ? how(one) : one));
    talks.value = { ...talks.peek(), [flow]: { ...now, turns, ...(chat === undefined ? {} : { chat }) } };
  };
  const body = { flow, message, ...(begun.chat === undefined ? { inputs } : { chat: begun.chat }) };
  const failure = await readEvents<ChatAnswer>(
    'chat/turns',
    body,
    (event) => change((one) => after(one, event), 'chat' in event ? event.chat : undefined),
    end.signal,
  );
  change((one) => {
    if (one.status !== 'Running') return one;
    if (end.signal.aborted) return { ...one, status: 'Canceled' };
    return { ...one, status: 'refused', error: failure?.message ?? '' };
  });
}

function after(turn: TalkTurn, event: ChatAnswer): TalkTurn {
  if (event.type === 'began') return { ...turn, line: event.line };
  if (event.type === 'node') return { ...turn, statuses: new Map(turn.statuses).set(event.node, event.status) };
  if (event.type === 'text') return { ...turn, text: turn.text + event.text };
  if (event.type === 'failed') {
    const { message, help } = event.error;
    return { ...turn, status: 'refused', error: help === undefined ? message : `${message}\n${help}` };
  }
  const { status, said, error, line, isOutdated = false } = event;
  return { ...turn, status, answer: said, line, isOutdated, ...(error === undefined ? {} : { error }) };
}
