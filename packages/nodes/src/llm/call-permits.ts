import type { ModelResult } from '@unroll/engine';

/** What a connection may take; what is absent is not limited. */
export interface CallLimit {
  /** A minute. */
  readonly requests?: number;
  /** A minute. */
  readonly tokens?: number;
  /** Under way at the same time. */
  readonly calls?: number;
}

/** Permits to call a connection, among all who share it. */
export interface CallPermits {
  /**
   * Resolves when the call may be made, or as soon as it is given up.
   *
   * @param tokens the call is expected to take
   */
  take(tokens: number, signal: AbortSignal): Promise<CallPermit>;
}

export interface CallPermit {
  /** Told once how the call ended; undefined where it was not made. */
  end(result: ModelResult | undefined): void;
}

/**
 * The permits of a connection.
 *
 * @param limit undefined where the connection has none
 * @returns undefined where its calls wait for nothing
 */
export type PermitsOf = (connection: string, limit: CallLimit | undefined) => CallPermits | undefined;

/** Tokens that the service told, 0 where it told none. */
export function tokensOf(result: ModelResult | undefined): number {
  return result?.ok === true ? (result.reply.usage?.totalTokens ?? 0) : 0;
}
