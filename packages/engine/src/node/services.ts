import type { Value, Values } from '../value/json.ts';
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

/**
 * One entry of an agent's tool table, whatever stands behind it (code, AWS Lambda, HTTP, MCP) and however the model is told
 * of it (functions, a text grammar, action tokens).
 */
export interface Tool {
  /** As the model is told it: `^[A-Za-z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Values;
  readonly effects: 'reads' | 'writes';
  /** Its result is the agent's answer. */
  readonly returnDirect?: boolean;
  /** Asking for it ends the loop in this way, and nothing is called: the caller acts, or the user is asked. */
  readonly ends?: 'returned_control' | 'asked_user' | 'gave_up' | 'refused';
  /** Never rejects. Once a call: user programs are not run again. */
  call(given: Values, call: ToolCall): Promise<ToolResult>;
}

export interface ToolCall {
  /** Aborted when the run stops or the tool's time is up. */
  readonly signal: AbortSignal;
  readonly caller?: { readonly node: string; readonly line: number; readonly repeat: number };
}

export type ToolResult =
  | { readonly ok: true; readonly content: Value; readonly requestId?: string | undefined }
  /** `toModel`: the model may mend it (its own arguments); otherwise the loop's error policy decides. */
  | {
      readonly ok: false;
      readonly toModel: boolean;
      readonly error: NodeError;
      readonly requestId?: string | undefined;
    };

/** Gets pictures from addresses; the engine itself has no network. */
export interface ImageFetcher {
  /** Never rejects. */
  fetch(url: string): Promise<FetchedImage>;
}

export type FetchedImage =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly message: string };
