import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionSource, type JsonObject, type NodeRun, openFlow, type RowRun } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import type { PromptType } from '@unroll/nodes/bedrock';
import {
  type LambdaAnswer,
  type ReceivedInvocation,
  startLambdaServer,
  startOpenAiServer,
} from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';

export interface TurnOptions {
  readonly input: string;
  readonly session?: JsonObject;
  readonly completions: readonly { readonly completion: string; readonly stop?: string }[];
  /** Body of each answer of a function, or how the function failed. */
  readonly functionResults: readonly (string | FunctionFailure)[];
  readonly promptStates: Readonly<Partial<Record<PromptType, 'ENABLED' | 'DISABLED'>>>;
  readonly actionGroups: readonly JsonObject[];
  readonly knowledgeBases?: readonly string[];
  readonly times?: number;
}

export interface FunctionFailure {
  readonly FunctionError: string;
  readonly payload: JsonObject;
}

export interface TurnRun {
  readonly row: RowRun;
  readonly nodes: readonly NodeRun[];
  readonly requests: readonly JsonObject[];
  readonly invocations: readonly JsonObject[];
}

const flowFolder = join(import.meta.dirname, '../../flows/bedrock-agent');

/**
 * One turn of flows/bedrock-agent, its own nodes and prompts, with another agent: the model behind a loopback server that
 * speaks OpenAI's wire format, action groups as Lambda functions behind a loopback Invoke API.
 */
export async function runTurn(options: TurnOptions): Promise<TurnRun> {
  await using model = await startOpenAiServer(options.completions.map(modelReply));
  const results = [...options.functionResults];
  await using lambda = await startLambdaServer((invocation) => functionReply(invocation, results.shift()));
  const folder = mkdtempSync(join(tmpdir(), 'bedrock-turn-'));
  try {
    cpSync(flowFolder, folder, { recursive: true });
    writeAgent(folder, lambda.endpoint, options);
    const opened = await openFlow(
      { file: join(folder, 'flow.dag.yaml'), folder },
      { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections: toServer(`${model.url}/v1`) },
    );
    if (opened.flow === undefined) throw new Error(JSON.stringify(opened.loadError ?? opened.diagnostics));
    await using flow = opened.flow;
    const { row, nodes } = await flow.runRow({ question: options.input, session: options.session ?? {} });
    return {
      row,
      nodes,
      requests: model.requests.map(({ body }) => body as JsonObject),
      invocations: lambda.received.map(({ body }) => JSON.parse(body) as JsonObject),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function modelReply({ completion, stop }: TurnOptions['completions'][number]) {
  const message = { role: 'assistant', content: completion };
  const choice = { index: 0, finish_reason: 'stop', stop_reason: stop ?? null, message };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return {
    text: JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'm', choices: [choice], usage }),
  };
}

function functionReply({ body }: ReceivedInvocation, result: string | FunctionFailure | undefined): LambdaAnswer {
  if (typeof result === 'object') {
    const headers = { 'x-amz-function-error': result.FunctionError };
    return { status: 200, headers, body: JSON.stringify(result.payload) };
  }
  const { actionGroup, apiPath, httpMethod } = JSON.parse(body) as JsonObject;
  const responseBody = { 'application/json': { body: result ?? '' } };
  const response = { actionGroup, apiPath, httpMethod, httpStatusCode: 200, responseBody };
  return { status: 200, body: JSON.stringify({ messageVersion: '1.0', response }) };
}

function writeAgent(folder: string, endpoint: string, options: TurnOptions): void {
  const { actionGroups, knowledgeBases = [], promptStates, times } = options;
  const prompts = { PRE_PROCESSING: { state: 'ENABLED' }, POST_PROCESSING: { state: 'DISABLED' } };
  const states = Object.fromEntries(Object.entries(promptStates).map(([type, state]) => [type, { state }]));
  const agent = {
    name: 'a',
    action_groups: actionGroups,
    knowledge_bases: knowledgeBases.map((id) => ({ id })),
    prompts: { ...prompts, ...states },
  };
  writeFileSync(join(folder, 'agent.yaml'), JSON.stringify(agent));
  writeFileSync(join(folder, 'act.ts'), actText(endpoint, options));
  if (times === undefined) return;
  const file = join(folder, 'flow.dag.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/times: \d+/, `times: ${times}`));
}

function actText(endpoint: string, { actionGroups, knowledgeBases = [] }: TurnOptions): string {
  const names = JSON.stringify(actionGroups.map(({ name }) => name));
  return `import { actStep, lambdaAction } from '@unroll/nodes/bedrock';
import { agent } from './agent.ts';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const action = (functionName) => lambdaAction({ functionName, region: 'us-east-1', endpoint: '${endpoint}', credentials });
const hits = [{ id: 'd1', score: 1, text: 'found', fields: {} }];
export default actStep(agent, {
  actions: Object.fromEntries(${names}.map((name) => [name, action(name)])),
  knowledgeBases: Object.fromEntries(${JSON.stringify(knowledgeBases)}.map((id) => [id, () => hits])),
});
`;
}

function toServer(url: string): ConnectionSource {
  const connection = { name: 'offline', type: 'open_ai', configs: { base_url: url }, secrets: { api_key: 'sk-never' } };
  return { find: (name) => (name === 'offline' ? connection : undefined), names: () => ['offline'] };
}
