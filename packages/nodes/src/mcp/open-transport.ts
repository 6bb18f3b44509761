import { StringDecoder } from 'node:string_decoder';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Redactor } from '@unroll/engine';
import { openFetch } from '../http/fetch.ts';
import { boundedFetch, resumedAfterMs } from './bounded-fetch.ts';
import type { McpServer } from './mcp-server.ts';
import { largestMessage, watchProcess } from './watched-process.ts';

/** Where a server is started, and what it is let in with. */
export interface McpSurroundings {
  /** Absolute folder of the flow. */
  readonly folder: string;
  /** Of the server's connection: for a process variables of its environment, for an address headers. */
  readonly configs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** For what is told of a server that fails. */
  readonly redactor: Redactor;
  /** Told what is doubtful about the server, each once; a line without its end. */
  readonly onDoubt?: (doubt: string) => void;
}

type ServerProcess = Extract<McpServer['transport'], { readonly kind: 'stdio' }>;
type ServerAddress = Extract<McpServer['transport'], { readonly kind: 'http' }>;

export interface ProcessFollowing {
  /** Told what it writes there, piece by piece. */
  readonly onStderr: (text: string) => void;
  /** Told why nothing more can be read of it. */
  readonly onBroken: (reason: string) => void;
}

export async function startProcess(
  { command, arguments: args, environment }: ServerProcess,
  { folder, configs, secrets }: McpSurroundings,
  { onStderr, onBroken }: ProcessFollowing,
): Promise<Transport> {
  const stdio = await import('@modelcontextprotocol/sdk/client/stdio.js');
  class WatchedTransport extends stdio.StdioClientTransport {
    override async start(): Promise<void> {
      await super.start();
      // The official transport shows its process nowhere else.
      const started = this['_process'];
      if (started !== undefined) watchProcess(started, onBroken);
    }
  }
  const started = new WatchedTransport({
    command,
    args: [...args],
    env: { ...stdio.getDefaultEnvironment(), ...environment, ...configs, ...secrets },
    cwd: folder,
    stderr: 'pipe',
    maxBufferSize: 2 * largestMessage,
  });
  const parts = new StringDecoder('utf8');
  started.stderr?.on('data', (chunk: Buffer) => onStderr(parts.write(chunk)));
  return started;
}

export async function openAddress(
  { url }: ServerAddress,
  { configs, secrets }: McpSurroundings,
  onDoubt: (doubt: string) => void,
): Promise<Transport> {
  const http = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const fetch = boundedFetch(await openFetch(), (asked) =>
    onDoubt(`asks to wait ${asked} ms before a stream is asked for again; ${resumedAfterMs} ms are waited`),
  );
  const { api_key: key } = secrets;
  const { api_key_header: header = 'authorization' } = configs;
  const headers = key === undefined ? {} : { [header]: header === 'authorization' ? `Bearer ${key}` : key };
  const opened = new http.StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers },
    reconnectionOptions: resumedAtOnce,
  });
  return opened as Transport;
}

/** `boundedFetch` waits. */
const resumedAtOnce = {
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 2,
};
