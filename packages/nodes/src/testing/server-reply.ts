/** One answer of the server. */
export interface ServerReply {
  /** Given to the first request whose body holds this text; to any request where absent. */
  readonly when?: string;
  readonly message?: Readonly<Record<string, unknown>>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The `error` object of the body where `status` is an error. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** Of a chat; else told by what the message holds. */
  readonly finishReason?: string;
  /** How likely each token was, where the request asks for it. */
  readonly logprobs?: readonly object[];
  /** Encrypted, what the model thought before its answer; of `/responses`, where the request asks for it. */
  readonly reasoning?: string;
  /** In the place of the usual tokens; of `/responses`. */
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Of a stream of `/responses`: how many events come before it breaks off. */
  readonly cutAfter?: number;
  /** Takes the place of the whole body. */
  readonly text?: string;
  readonly embedding?: readonly number[];
  /** Of several texts, one each; told last first, as the order is the service's own affair. */
  readonly embeddings?: readonly (readonly number[])[];
  readonly delayMs?: number;
  /** Closes the connection without an answer. */
  readonly hangUp?: boolean;
}
