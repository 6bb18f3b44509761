/** How one maker's service is spoken to, as it publishes it: what it refuses, how a request is read and an answer written. */
export interface Wire {
  /** The path its addresses begin with. */
  readonly base: string;
  readonly model: string;
  /** What of the tokens it tells. */
  readonly tells: { readonly cached: boolean; readonly reasoning: boolean };
  /** How an answer may end. */
  readonly ends: readonly Ended[];
  /** Whether an image may be given by its address, through the maker's package. */
  readonly fetchesImages: boolean;
  /** What the service refuses; undefined for a request that holds. */
  problem(request: WireRequest): string | undefined;
  refusal(message: string, status: number): object;
  asked(body: Json): Asked;
  whole(said: Said, body: Json): object;
  stream(said: Said, body: Json): WireStream;
}

export type Json = Readonly<Record<string, unknown>>;

interface WireRequest {
  /** With what follows a `?`. */
  readonly path: string;
  readonly headers: Json;
  readonly body: Json;
}

/** What a model says. */
export interface Said {
  readonly text?: string;
  readonly thought?: string;
  readonly calls?: readonly Call[];
  readonly ended?: Ended;
}

export type Ended = 'stop' | 'length' | 'tool_calls' | 'content_filter';

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

/** A stream as it is sent, event by event. */
export interface WireStream {
  readonly type: 'text/event-stream' | 'application/x-ndjson';
  readonly events: readonly string[];
}

/** What a request asks, whatever its format. */
export interface Asked {
  readonly system: string;
  /** Of the user. */
  readonly texts: readonly string[];
  /** Addresses, and data as `data:` addresses. */
  readonly images: readonly string[];
  readonly calls: readonly Call[];
  readonly results: readonly string[];
  readonly tools: readonly Json[];
  readonly choice: string;
  readonly schema: unknown;
  /** By the names that nodes write them with; absent where none was sent. */
  readonly settings: Json;
}

/** What every answer is said to have cost. */
export const spent = { input: 100, cached: 64, output: 25, reasoning: 20 } as const;

export function endOf({ ended, calls = [] }: Said): Ended {
  return ended ?? (calls.length > 0 ? 'tool_calls' : 'stop');
}

/** A text as it is streamed. */
export function pieces(text = ''): readonly string[] {
  return text.match(/[\s\S]{1,4}/gu) ?? [];
}

/** Members whose value is not undefined. */
export function given(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

export function list(value: unknown): readonly Json[] {
  return (value ?? []) as readonly Json[];
}

export function dataEvents(events: readonly unknown[]): WireStream {
  const told = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  return { type: 'text/event-stream', events: told };
}
