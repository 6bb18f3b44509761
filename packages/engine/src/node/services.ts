import type { Value } from '../value/json.ts';
import type { NodeError } from './node-error.ts';
import type { Usage } from './node-report.ts';

/** Where a model, an index or another service is found. Values of `secrets` never leave the service that uses them. */
export interface Connection {
  readonly name: string;
  /** `azure_open_ai`, `open_ai`, `serverless`, `custom`, `offline`, `scripted` … as Prompt flow's YAML types. */
  readonly type: string;
  readonly configs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Parameters as the wire carries them, minus nothing: `{model, messages, temperature, functions …}`. */
export type ModelRequest = Readonly<Record<string, Value>>;

export interface ModelReply {
  /** The response body as the service sent it (chat: `choices[0].message`, completion: `choices[0].text`, embedding: `data[0].embedding`). */
  readonly body: Value;
  /** Everything the service answered, where it was one answer. */
  readonly whole?: Value;
  readonly usage?: Usage;
}

export type ModelResult =
  | { readonly ok: true; readonly reply: ModelReply }
  | { readonly ok: false; readonly error: NodeError; readonly retryAfterMs?: number };

/** A service that answers OpenAI-shaped requests. One try a call: retries are made, and recorded, outside. */
export interface ModelService {
  readonly provider: 'azure' | 'openai';
  call(api: 'chat' | 'completion' | 'embedding', request: ModelRequest, call: ModelCall): Promise<ModelResult>;
}

export interface ModelCall {
  readonly signal: AbortSignal;
  /** The node that asks, and for which row. */
  readonly caller?: { readonly node: string; readonly line: number; readonly repeat: number };
  /** Gets each piece of text when the answer is streamed. */
  readonly onText?: (text: string) => void;
  /** Whether a streamed answer is asked for with its tokens. */
  readonly countsTokens?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One hit of a search, best first. `score` is comparable within one answer only. */
export interface SearchHit {
  readonly id: string;
  readonly score: number;
  readonly title?: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, Value>>;
}

export interface SearchIndex extends Partial<AsyncDisposable> {
  search(
    query: string,
    options: { readonly topK: number; readonly minimumScore?: number },
  ): readonly SearchHit[] | Promise<readonly SearchHit[]>;
}

/** Gets pictures from addresses; the engine itself has no network. */
export interface ImageFetcher {
  /** Never rejects. */
  fetch(url: string): Promise<FetchedImage>;
}

export type FetchedImage =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly message: string };
