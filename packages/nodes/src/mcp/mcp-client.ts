import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { endOfText, type JsonObject, type NodeError, type ServiceDetails, traceHeaders } from '@unroll/engine';
import { requireExtra } from '../extras/extras.ts';
import { causeOf } from '../http/cause-of.ts';
import { hostOf, quoted } from '../http/quoted.ts';
import { serviceDetails } from '../http/service-details.ts';
import { AnswerSchemas } from './answer-schemas.ts';
import { askedInTime } from './asked-in-time.ts';
import { withFewAnswers } from './few-answers.ts';
import { type ListedTools, listAllTools } from './listed-tools.ts';
import { contentOf, exactArguments, type McpContent, mayBeInexact } from './mcp-content.ts';
import type { McpServer } from './mcp-server.ts';
import { causeText, isUnfit, maxStderrShown, statusOf, stderrKept } from './mcp-words.ts';
import { type McpSurroundings, openAddress, startProcess } from './open-transport.ts';

export type McpAnswer = { readonly ok: true; readonly content: McpContent } | McpFailure;

export interface McpFailure extends Pick<NodeError, 'message' | 'retryable'> {
  readonly ok: false;
  /** Of a server that has an address. */
  readonly service?: ServiceDetails;
}

/** Milliseconds a process has at least to start, and to tell its tools: it may first be installed. */
const processStartMs = 60_000;
/** Milliseconds that are never over: what is asked has its time from `askedInTime`. */
const noTimeout = 2 ** 31 - 1;
/**
 * One server of the Model Context Protocol (revision 2025-11-25, as the official client speaks it), over stdio or
 * streamable HTTP. A connection that was lost is opened again by the next call.
 */
export class McpClient {
  readonly #server: McpServer;
  readonly #surroundings: McpSurroundings;
  #client: Promise<Client> | undefined;
  /** The end of what its process wrote to stderr, with secrets, and the characters of all of it. */
  #stderr = '';
  #written = 0;
  /** Why nothing more can be read of a process whose connection was closed therefore. */
  #broken: string | undefined;
  readonly #doubts = new Set<string>();
  #answers = new AnswerSchemas([]);

  constructor(server: McpServer, surroundings: McpSurroundings) {
    this.#server = server;
    this.#surroundings = surroundings;
  }

  /** @throws Error when the server cannot be reached or does not answer in time; nothing secret is in its message */
  async listTools(): Promise<ListedTools> {
    try {
      return await this.#listAll();
    } catch (thrown) {
      const wrote = this.#redacted(endOfText(this.#stderr, stderrKept, this.#written))
        .slice(-maxStderrShown)
        .trim();
      const said = wrote === '' ? '' : `; it wrote: ${wrote}`;
      throw new Error(`${this.#words(thrown)}${said}`);
    }
  }

  async #listAll(): Promise<ListedTools> {
    const client = await this.#connected();
    const phase = { name: 'the list of its tools', timeoutMs: this.#startTimeoutMs() };
    const listed = await askedInTime(phase, (signal) => listAllTools(client, { signal, timeout: noTimeout }));
    this.#answers = new AnswerSchemas(listed.tools);
    return listed;
  }

  /** Never rejects. */
  async callTool(name: string, given: JsonObject, signal: AbortSignal): Promise<McpAnswer> {
    try {
      const sent = exactArguments(given);
      this.#answers.refuseTasks(name);
      const client = await this.#connected();
      const phase = { name: `the call of ${name}`, timeoutMs: this.#server.timeoutMs };
      const answer = await askedInTime(phase, (givenUp) => {
        const options = { signal: AbortSignal.any([signal, givenUp]), timeout: noTimeout };
        return client.callTool({ name, arguments: sent, ...traceMeta() }, undefined, options);
      });
      const content = contentOf(answer as CallToolResult);
      this.#answers.check(name, content);
      this.#doubtContent(content);
      return { ok: true, content };
    } catch (thrown) {
      return this.#failure(thrown);
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  #failure(thrown: unknown): McpFailure {
    const { transport } = this.#server;
    const { code, retryable } = causeOf(thrown);
    const failure = { ok: false, message: this.#words(thrown), retryable } as const;
    if (transport.kind === 'stdio') return failure;
    const status = statusOf(thrown);
    const mayPass = retryable || status === 429 || (status ?? 0) >= 500;
    return {
      ...failure,
      retryable: mayPass,
      service: serviceDetails({ host: hostOf(transport.url), errno: code, status }),
    };
  }

  /** One line, its begin where it is long: a server that refuses may send a page of any length. */
  #words(thrown: unknown): string {
    return quoted(this.#broken ?? causeText(thrown), (text) => this.#redacted(text)) ?? 'the server said nothing';
  }

  #redacted(text: string): string {
    return this.#surroundings.redactor.message(text);
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    requireExtra('mcp');
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const client = new Client({ name: 'unroll', version: '1' });
    const closed = Promise.withResolvers<never>();
    closed.promise.catch(() => undefined);
    this.#broken = undefined;
    client.onerror = (error) => {
      if (error instanceof SyntaxError || isUnfit(error))
        this.#doubt('sends what is no message of the protocol; it is passed over');
    };
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed')
        this.#doubt(
          'says that its tools have changed; those that it listed at first stay until the flow is opened again',
        );
    };
    client.onclose = () => {
      this.#client = undefined;
      // Where the handshake itself failed that comes first, and tells why.
      setImmediate(() => closed.reject(new Error('the connection was closed during the handshake')));
    };
    try {
      const opened = await this.#openTransport((reason) => {
        this.#broken = reason;
        void client.close();
      });
      const transport = withFewAnswers(opened, (doubt) => this.#doubt(doubt));
      const phase = { name: 'the handshake', timeoutMs: this.#startTimeoutMs() };
      await askedInTime(phase, (signal) =>
        // To a process that has ended the client writes without end.
        Promise.race([client.connect(transport, { signal, timeout: noTimeout }), closed.promise]),
      );
      return client;
    } catch (thrown) {
      this.#client = undefined;
      await client.close();
      throw thrown;
    }
  }

  #startTimeoutMs(): number {
    const { transport, timeoutMs } = this.#server;
    return transport.kind === 'stdio' ? Math.max(timeoutMs, processStartMs) : timeoutMs;
  }

  #doubt(doubt: string): void {
    if (this.#doubts.has(doubt)) return;
    this.#doubts.add(doubt);
    this.#surroundings.onDoubt?.(`MCP server "${this.#server.name}" ${doubt}`);
  }

  /** The official client reads what a process writes as UTF-8, whatever it is; an address has its bytes checked. */
  #doubtContent({ parts, data }: McpContent): void {
    if (mayBeInexact(data)) {
      this.#doubt('answers numbers as data that a double cannot hold; they are read as the nearest that it can');
    }
    if (this.#server.transport.kind !== 'stdio' || !parts.some(({ text }) => text?.includes('\uFFFD'))) return;
    this.#doubt('wrote U+FFFD, or bytes that are no UTF-8 and are read as that sign');
  }

  async #openTransport(onBroken: (reason: string) => void): Promise<Transport> {
    const { transport } = this.#server;
    if (transport.kind === 'http')
      return await openAddress(transport, this.#surroundings, (doubt) => this.#doubt(doubt));
    return await startProcess(transport, this.#surroundings, {
      onStderr: (text) => {
        this.#written += text.length;
        this.#stderr = (this.#stderr + text).slice(-stderrKept);
      },
      onBroken,
    });
  }
}

/** The trace a call belongs to, in the message itself: a process has no headers. */
function traceMeta(): { readonly _meta?: Record<string, string> } {
  const headers = traceHeaders();
  return Object.keys(headers).length === 0 ? {} : { _meta: { ...headers } };
}
