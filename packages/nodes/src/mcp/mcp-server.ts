/** A server that speaks the Model Context Protocol, and which of its tools an agent may use. */
export interface McpServer {
  /** For messages, and before the names of its tools where `prefix` says so. */
  readonly name: string;
  readonly transport: McpTransport;
  /** Only these of its tools are offered. */
  readonly allow: readonly string[];
  readonly prefix: string;
  /** Milliseconds one call may take. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

type McpTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly arguments: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      /** Its values are variables of the process too. */
      readonly connection?: string;
    }
  | { readonly kind: 'http'; readonly url: string; readonly connection?: string };
