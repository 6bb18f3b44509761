/**
 * What we use of the interface between the Vercel AI SDK and its providers, as `@ai-sdk/provider` publishes it
 * (`LanguageModelV3`, `LanguageModelV4`, `EmbeddingModelV3`, `EmbeddingModelV4`). Both versions take the same call but for
 * files; what only one of them knows is optional here.
 */
export interface LanguageModel {
  readonly specificationVersion: string;
  /** Addresses that it fetches itself, by patterns of media types. */
  readonly supportedUrls: SupportedUrls | PromiseLike<SupportedUrls>;
  /** One request; it tries nothing again. */
  doGenerate(options: CallOptions): PromiseLike<GenerateResult>;
  doStream(options: CallOptions): PromiseLike<StreamResult>;
}

export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>;

export interface EmbeddingModel {
  readonly maxEmbeddingsPerCall: number | undefined | PromiseLike<number | undefined>;
  doEmbed(options: EmbedOptions): PromiseLike<EmbeddingResult>;
}

/** By the name of the provider: `{anthropic: {thinking: …}}`. */
export type ProviderOptions = Readonly<Record<string, unknown>>;

interface WithOptions {
  readonly providerOptions?: ProviderOptions;
}

/** Settings that are absent are the provider's own. */
export interface CallOptions extends WithOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly FunctionTool[];
  readonly toolChoice?: ToolChoice;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly responseFormat?: ResponseFormat;
  /** Of version 4 alone. */
  readonly reasoning?: string;
  readonly abortSignal?: AbortSignal;
}

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json'; readonly schema?: unknown; readonly name?: string; readonly description?: string };

export interface FunctionTool extends WithOptions {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly strict?: boolean;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly toolName: string };

export type PromptMessage = WithOptions &
  (
    | { readonly role: 'system'; readonly content: string }
    | { readonly role: 'user'; readonly content: readonly (TextPart | FilePart)[] }
    | { readonly role: 'assistant'; readonly content: readonly (TextPart | ReasoningPart | ToolCallPart)[] }
    | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] }
  );

export interface TextPart extends WithOptions {
  readonly type: 'text';
  readonly text: string;
}

export interface FilePart extends WithOptions {
  readonly type: 'file';
  readonly mediaType: string;
  /** Version 3: base64 or an address; version 4: the same, told apart. */
  readonly data: string | URL | { readonly type: 'data'; readonly data: string } | { readonly type: 'url'; url: URL };
}

export interface ReasoningPart extends WithOptions {
  readonly type: 'reasoning';
  readonly text: string;
}

export interface ToolCallPart extends WithOptions {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface ToolResultPart extends WithOptions {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: 'text'; readonly value: string };
}

/** What came, not looked at yet. */
export interface GenerateResult {
  readonly content: readonly unknown[];
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly warnings?: readonly unknown[];
  readonly response?: {
    readonly id?: string;
    readonly modelId?: string;
    readonly headers?: AnswerHeaders;
    /** As it came. */
    readonly body?: unknown;
  };
}

export type AnswerHeaders = Readonly<Record<string, string>>;

interface StreamResult {
  readonly stream: ReadableStream<unknown>;
  readonly response?: { readonly headers?: AnswerHeaders };
}

interface EmbedOptions extends WithOptions {
  readonly values: readonly string[];
  readonly dimensions?: number;
  readonly abortSignal?: AbortSignal;
}

interface EmbeddingResult {
  readonly embeddings: readonly (readonly number[])[];
  readonly usage?: { readonly tokens?: unknown };
  readonly warnings?: readonly unknown[];
}

/** What a package's `create…` function makes. */
export interface Provider {
  readonly specificationVersion?: string;
  languageModel(id: string): LanguageModel;
  embeddingModel?(id: string): EmbeddingModel;
  textEmbeddingModel?(id: string): EmbeddingModel;
}
