import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConnectionSource,
  type JsonObject,
  type NodeRun,
  openFlow,
  type RowRun,
  type RunnableFlow,
} from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';

export const agentFolder = join(import.meta.dirname, '../../flows/privacy-agent');

/** The two files of the flow: code nodes in TypeScript, and in Python. */
export const variants = ['flow.dag.yaml', 'flow.python.dag.yaml'] as const;
/** The flow in the older form of the API. */
export const functionsVariant = 'flow.functions.dag.yaml';
export type Variant = (typeof variants)[number] | typeof functionsVariant;

export interface AgentOptions {
  /** What the model answers, call by call. */
  readonly replies: readonly JsonObject[];
  readonly query?: string;
  readonly times?: number;
  readonly onError?: 'fail' | 'feed_back';
}

export interface AgentRun {
  readonly row: RowRun;
  readonly nodes: Readonly<Record<string, NodeRun>>;
  /** Bodies of the requests the model got. */
  readonly requests: readonly JsonObject[];
}

/** Runs the flow with the real client against a model server on loopback that answers from a script. */
export async function runAgent(variant: Variant, options: AgentOptions): Promise<AgentRun> {
  await using server = await startOpenAiServer(options.replies.map((message) => ({ message })));
  await using flow = await openAgent(variant, options, toServer(`${server.url}/v1`));
  const { row, nodes } = await flow.runRow({ query: options.query ?? '委託先への提供に同意は要りますか' });
  const requests = server.requests.map(({ body }) => body as JsonObject);
  return { row, nodes: Object.fromEntries(nodes.map((run) => [run.node, run])), requests };
}

/** An answer that asks for a tool; its content is null. */
export function callReply(name: string, callArguments: string): JsonObject {
  const call = { id: callId, type: 'function', function: { name, arguments: callArguments } };
  return { content: null, tool_calls: [call] };
}

export const callId = 'call_1';

export function textReply(content: string | null): JsonObject {
  return { content };
}

/** The flow as it lies in its folder, but for the bound and what happens on an error. */
export async function openAgent(
  variant: Variant,
  { times = 3, onError = 'fail' }: Pick<AgentOptions, 'times' | 'onError'>,
  connections: ConnectionSource,
): Promise<RunnableFlow> {
  const written = readFileSync(join(agentFolder, variant), 'utf8');
  const text = written.replace('times: 3', `times: ${times}`).replace('on_error: fail', `on_error: ${onError}`);
  const folder = mkdtempSync(join(tmpdir(), 'agent-'));
  const file = join(folder, variant);
  writeFileSync(file, text);
  try {
    const opened = await openFlow(
      { file, folder: agentFolder },
      { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections },
    );
    if (opened.flow !== undefined) return opened.flow;
    throw new Error(
      `${variant} cannot run: ${JSON.stringify(opened.loadError ?? opened.diagnostics.map(({ message }) => message))}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The name the flow asks for, led to the server on loopback. */
function toServer(url: string): ConnectionSource {
  const connection = {
    name: 'offline',
    type: 'open_ai',
    configs: { base_url: url },
    secrets: { api_key: 'sk-never-recorded' },
  };
  return { find: (name) => (name === 'offline' ? connection : undefined), names: () => ['offline'] };
}
