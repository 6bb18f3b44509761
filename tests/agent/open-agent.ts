import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Connection,
  type ConnectionSource,
  type JsonObject,
  type JsonValue,
  type NodeRun,
  type OpenedFlow,
  openFlow,
  type RowRun,
} from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { type ServerReply, startOpenAiServer } from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';

export interface AgentFlow {
  /** Keys of the agent node. */
  readonly agent: JsonObject;
  readonly template: string;
  readonly tools?: readonly JsonObject[];
  /** Text of `tools.ts`. */
  readonly code?: string;
  /** Inputs of the flow, each given to the agent too. */
  readonly inputs?: readonly string[];
  /** Names of inputs of the agent that the model is not given. */
  readonly agentInputs?: JsonObject;
  readonly format?: string;
  readonly connections?: readonly Connection[];
}

export interface AgentFlowRun {
  readonly row: RowRun;
  readonly nodes: Readonly<Record<string, NodeRun>>;
  /** Bodies of the requests the model got. */
  readonly requests: readonly JsonObject[];
  readonly elapsedMs: number;
}

/** Runs a flow of one agent with the real client against a model server on loopback that answers from a script. */
export async function runAgentFlow(
  flow: AgentFlow,
  replies: readonly ServerReply[],
  given: JsonObject,
): Promise<AgentFlowRun> {
  await using server = await startOpenAiServer(replies);
  const model = {
    name: 'model',
    type: 'open_ai',
    configs: { base_url: `${server.url}/v1` },
    secrets: { api_key: 'sk-never-recorded' },
  };
  const { opened, remove } = await openAgentFlow(flow, [model, ...(flow.connections ?? [])]);
  if (opened.flow === undefined) {
    remove();
    throw new Error(
      `the agent cannot run: ${JSON.stringify(opened.loadError ?? opened.diagnostics.map(({ message }) => message))}`,
    );
  }
  try {
    await using runnable = opened.flow;
    const startedAt = performance.now();
    const { row, nodes } = await runnable.runRow(given);
    const elapsedMs = performance.now() - startedAt;
    const requests = server.requests.map(({ body }) => body as JsonObject);
    return { row, nodes: Object.fromEntries(nodes.map((run) => [run.node, run])), requests, elapsedMs };
  } finally {
    remove();
  }
}

/** The flow as it would lie in a folder, opened; `remove` takes the folder away. */
export async function openAgentFlow(
  flow: AgentFlow,
  connections: readonly Connection[] = [],
): Promise<{ readonly opened: OpenedFlow; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-flow-'));
  const file = join(folder, 'flow.dag.yaml');
  writeFileSync(file, JSON.stringify(flowValue(flow)));
  writeFileSync(join(folder, 'agent.jinja2'), flow.template);
  writeFileSync(join(folder, 'tools.yaml'), JSON.stringify({ tools: flow.tools ?? [] }));
  writeFileSync(join(folder, 'tools.ts'), flow.code ?? '');
  const source: ConnectionSource = {
    find: (name) => connections.find((one) => one.name === name),
    names: () => connections.map(({ name }) => name),
  };
  const opened = await openFlow(
    { file, folder },
    { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections: source },
  );
  return { opened, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function flowValue({ agent, inputs = ['input'], agentInputs = {} }: AgentFlow): JsonValue {
  const bound = Object.fromEntries(inputs.map((name) => [name, `\${inputs.${name}}`]));
  return {
    inputs: Object.fromEntries(inputs.map((name) => [name, { type: name === 'chat_history' ? 'list' : 'string' }])),
    outputs: { result: { type: 'object', reference: '${assistant.output}' } },
    nodes: [
      {
        name: 'assistant',
        type: 'agent',
        source: { type: 'code', path: 'agent.jinja2' },
        connection: 'model',
        tools: 'tools.yaml',
        retry: { times: 0 },
        ...agent,
        inputs: { model: 'gpt', temperature: 0, ...bound, ...agentInputs },
      },
    ],
  };
}
