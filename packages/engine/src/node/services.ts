import type { Redactor } from '../secrets/redactor.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { CalledProvider } from './called-provider.ts';
import type { NodeError } from './node-error.ts';
import type { Usage } from './node-report.ts';
import type { ServiceDetails } from './service-details.ts';

/** Where a model, an index or another service is found. Values of `secrets` never leave the service that uses them. */
export interface Connection {
  readonly name: string;
  /** `azure_open_ai`, `open_ai`, `serverless`, `custom`, `offline`, `scripted` …: as the YAML of connections names them. */
  readonly type: string;
  readonly configs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** What stands for the file that answers, a script or a model; absent where a service does. */
  readonly content?: string;
}

/** Parameters as the wire carries them, minus nothing: `{model, messages, temperature, functions …}`. */
export type ModelRequest = Readonly<Record<string, JsonValue>>;

export interface ModelReply {
  /** The response body as the service sent it (chat: `choices[0].message`, completion: `choices[0].text`, embedding: `data[0].embedding`). */
  readonly body: JsonValue;
  /** Everything the service answered, where it was one answer; the vectors, where several texts were embedded. */
  readonly whole?: JsonValue;
  readonly usage?: Usage;
  /** How likely its tokens were, where that was asked for, as chat tells it: `{content: [{token, logprob, bytes, top_logprobs}]}`. */
  readonly logprobs?: JsonValue;
  /** What was doubtful in the answer, and was left out. */
  readonly warnings?: readonly string[];
  /** Why the service answered so, where it can tell: goes to the log of the node, not into the answer. */
  readonly explanation?: string;
}

export type ModelResult =
  /** `retryAfterMs`: the service answered, and will take no further call before. */
  | { readonly ok: true; readonly reply: ModelReply; readonly retryAfterMs?: number }
  | {
      readonly ok: false;
      readonly error: NodeError;
      readonly retryAfterMs?: number;
      /** Of a recording: another connection was asked then. */
      readonly isPassedOn?: true;
    };

/**
 * What a model is asked through. `responses` is OpenAI's Responses API; its requests and replies travel here in the form of
 * `chat`, so that nodes, scripts and cassettes know one form of messages, and the service that sends them writes the other.
 */
export type ModelApi = 'chat' | 'completion' | 'embedding' | 'responses';

/** A service that answers OpenAI-shaped requests. One try a call: retries are made, and recorded, outside. */
export interface ModelService {
  readonly provider?: CalledProvider;
  /** What it answers depends on how often it was asked before: a run that goes on asks it first what the record says was asked. */
  readonly answersInOrder?: true;
  call(api: ModelApi, request: ModelRequest, call: ModelCall): Promise<ModelResult>;
}

/** A service that has no Responses API: asked through it, it is asked as in a chat. */
export interface ChatModelService {
  call(api: Exclude<ModelApi, 'responses'>, request: ModelRequest, call: ModelCall): Promise<ModelResult>;
}

export interface ModelCall {
  readonly signal: AbortSignal;
  /** The node that asks, and for which row. */
  readonly caller?: { readonly node: string; readonly line: number; readonly repeat: number };
  /** Among several connections: whether others were asked before, and whether others are asked where this one fails. */
  readonly turn?: { readonly isFirst: boolean; readonly isLast: boolean };
  /** Gets each piece of text when the answer is streamed. */
  readonly onText?: (text: string) => void;
  /** Whether a streamed answer is asked for with its tokens. */
  readonly countsTokens?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** As in `NodeCall`. */
  readonly redactor?: Redactor;
}

/** One hit of a search, best first. `score` is comparable within one answer only. */
export interface SearchHit {
  readonly id: string;
  readonly score: number;
  readonly title?: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, JsonValue>>;
}

/** How an index is asked: by the words of the query (BM25), by its meaning (vectors), or by both and fused. */
export type SearchMode = 'keyword' | 'vector' | 'hybrid';

export interface SearchOptions {
  /** How many hits at most, 1 or more. */
  readonly topK: number;
  /** Hybrid where the index holds vectors, else keyword, when absent. */
  readonly mode?: SearchMode;
  /** Hits that score less are left out; on the scale of the mode. */
  readonly minimumScore?: number;
  /** Which documents may be found; all when absent. Exact: a document that does not pass is never a hit. */
  readonly filter?: SearchFilter;
  /** Which fields a hit carries; all when absent. */
  readonly fields?: readonly string[];
  /** How a hybrid search brings both rankings together; the index's own way when absent. */
  readonly fusion?: Fusion;
  readonly signal?: AbortSignal;
}

/** A condition on the fields of a document. A field that is a list holds what any of its members holds. */
export type SearchFilter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly SearchFilter[] }
  | { readonly kind: 'not'; readonly filter: SearchFilter }
  /** The field is one of these; numbers are no texts. */
  | { readonly kind: 'is'; readonly field: string; readonly values: readonly FilterValue[] }
  /** Texts by the order of their code points, with texts only; numbers with numbers only. */
  | {
      readonly kind: 'compare';
      readonly field: string;
      readonly operator: 'lt' | 'le' | 'gt' | 'ge';
      readonly value: string | number;
    }
  /** The field is there and is not null. */
  | { readonly kind: 'exists'; readonly field: string };

export type FilterValue = string | number | boolean;

/**
 * `rrf`: the sum of `weight / (k + rank)` over both rankings (Cormack, Clarke and Büttcher 2009). `linear`: the weighted sum
 * of both scores, each as a z-score over its candidates. `relative`: the weighted sum of the score by words, divided by the best
 * one, and of the cosine as it is, so that vectors of which none is near have little to say.
 */
export type Fusion =
  | { readonly method: 'rrf'; readonly k: number; readonly weights: FusionWeights }
  | { readonly method: 'linear' | 'relative'; readonly weights: FusionWeights };

/** 0 or more each, not both 0. */
export interface FusionWeights {
  readonly keyword: number;
  readonly vector: number;
}

/** Best first. */
export type SearchResult =
  | { readonly ok: true; readonly hits: readonly SearchHit[] }
  | { readonly ok: false; readonly error: NodeError; readonly retryAfterMs?: number };

/** Every index keeps to `searchIndexContract` of the nodes' testing exports. */
export interface SearchIndex extends Partial<AsyncDisposable> {
  /** One try; never rejects. */
  search(query: string, options: SearchOptions): SearchResult | Promise<SearchResult>;
}

/** Makes vectors of texts, so that texts of like meaning have vectors of a small angle. */
export interface Embedder {
  /** Which model it is: vectors of two names are never compared. */
  readonly model: string;
  /** How its ranking is brought together with that by words in a hybrid search, when nothing else is said. */
  readonly fusion: Fusion;
  /**
   * One vector a text, in their order, all of the same length. Never rejects; failures that may pass were tried again.
   *
   * @param purpose models may treat what is searched and what is looked for in different ways
   */
  embed(texts: readonly string[], purpose: 'document' | 'query', signal: AbortSignal): Promise<EmbedResult>;
}

export type EmbedResult =
  | { readonly ok: true; readonly vectors: readonly Float32Array[]; readonly usage?: Usage }
  | { readonly ok: false; readonly error: NodeError };

/**
 * One entry of an agent's tool table, whatever stands behind it (code, AWS Lambda, HTTP, MCP) and however the model is told
 * of it (functions, a text grammar, action tokens).
 */
export interface Tool {
  /** As the model is told it: `^[A-Za-z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
  readonly effects: 'reads' | 'writes';
  /** Its result is the agent's answer. */
  readonly returnDirect?: boolean;
  /** Asking for it ends the loop in this way, and nothing is called: the caller acts, or the user is asked. */
  readonly ends?: 'returned_control' | 'asked_user' | 'gave_up' | 'refused';
  /** Never rejects. Once a call: user programs are not run again. */
  call(given: JsonObject, call: ToolCall): Promise<ToolResult>;
}

export interface ToolCall {
  /** Aborted when the run stops or the tool's time is up. */
  readonly signal: AbortSignal;
  /** As the model numbers its calls, where it does. */
  readonly id?: string;
  readonly caller?: { readonly node: string; readonly line: number; readonly repeat: number };
  /** As in `NodeCall`. */
  readonly redactor?: Redactor;
}

export type ToolResult =
  | { readonly ok: true; readonly content: JsonValue; readonly requestId?: string | undefined }
  /** `toModel`: the model can correct it (its own arguments); otherwise the loop's error policy decides. */
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
  | { readonly ok: false; readonly message: string; readonly retryable: boolean; readonly service?: ServiceDetails };
