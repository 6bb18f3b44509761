import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Connection,
  checkFlow,
  createFlowFiles,
  type JsonObject,
  type JsonValue,
  type NodeError,
  type NodeType,
  parseJson,
  prepareFlow,
  stringifyJson,
} from '@unroll/engine';
import { imageFetcher } from '@unroll/nodes';
import { type ServerReply, startOpenAiServer } from '@unroll/nodes/testing';
import { promptFlowCodes } from '../errors/error-codes.ts';

/** A flow of one node `n`, and what Prompt flow sent and gave for it. Made by running Prompt flow itself, 1.18.5. */
export interface PromptFlowCase {
  readonly name: string;
  readonly flow: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly inputs: JsonObject;
  readonly requests: readonly { readonly path: string; readonly calledFrom: string | null; readonly body: JsonValue }[];
  readonly output?: JsonValue;
  readonly error?: { readonly message: string; readonly codes: readonly string[] };
  readonly loadError?: { readonly message: string; readonly codes: readonly string[] };
  /** Why ours is another on purpose (docs/deviations.md). */
  readonly deviates?: string;
}

export function readPromptFlowCases(path: string): readonly PromptFlowCase[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map(readCase);
}

/** The flow keeps Python's difference between `1` and `1.0`; what is compared went through JSON. */
function readCase(line: string): PromptFlowCase {
  const { flow } = parseJson(line) as unknown as PromptFlowCase;
  return { ...(JSON.parse(line) as PromptFlowCase), flow };
}

export type PromptFlowCaseResult = Pick<PromptFlowCase, 'requests' | 'output' | 'error' | 'loadError'>;

/** Runs a case here, against a server on the loopback interface that checks each request. */
export async function runPromptFlowCase(
  given: PromptFlowCase,
  nodeTypes: ReadonlyMap<string, NodeType>,
): Promise<PromptFlowCaseResult> {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-case-'));
  for (const [name, text] of Object.entries(given.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  try {
    await using server = await startOpenAiServer([...refusals, answer(given), answer(given)]);
    const outcome = await runFlow(given, folder, server.url, nodeTypes);
    const requests = server.requests.map(({ path, headers, body }) => ({
      path,
      calledFrom: (headers['ms-azure-ai-promptflow-called-from'] as string | undefined) ?? null,
      body: body as JsonValue,
    }));
    return { ...outcome, requests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runFlow(
  { flow, inputs }: PromptFlowCase,
  folder: string,
  url: string,
  nodeTypes: ReadonlyMap<string, NodeType>,
): Promise<Omit<PromptFlowCaseResult, 'requests'>> {
  const files = createFlowFiles(folder, folder);
  const known = caseConnections(url);
  const connections = {
    find: (name: string) => known.find((connection) => connection.name === name),
    names: () => known.map(({ name }) => name),
  };
  const text = stringifyJson(flow, 2);
  const { plan } = checkFlow({ path: 'flow.dag.yaml', text }, { nodeTypes, files, connections });
  if (plan === undefined) throw new Error('the flow has no plan');
  const prepared = await prepareFlow(plan, { nodeTypes, files, connections, imageFetcher: imageFetcher() });
  if (!prepared.ok) return { loadError: told(prepared.error) };
  await using runnable = prepared.flow;
  const { row } = await runnable.runRow(inputs);
  return row.error === undefined ? { output: row.outputs['o'] ?? null } : { error: told(row.error) };
}

function told({ code, message }: NodeError): { readonly message: string; readonly codes: readonly string[] } {
  return { message, codes: promptFlowCodes(code, message) };
}

function caseConnections(url: string): readonly Connection[] {
  const secrets = { api_key: 'dummy-key' };
  const azure = { api_base: `${url}/`, api_type: 'azure', api_version: '2023-07-01-preview' };
  return [
    { name: 'azure_open_ai_connection', type: 'azure_open_ai', configs: azure, secrets },
    {
      name: 'open_ai_connection',
      type: 'open_ai',
      configs: { organization: 'dummy-org', base_url: `${url}/v1` },
      secrets,
    },
    { name: 'serverless', type: 'serverless', configs: { api_base: url }, secrets },
    { name: 'custom', type: 'custom', configs: { k: 'v' }, secrets: {} },
    {
      name: 'other',
      type: 'custom',
      configs: { k: 'w', 'promptflow.connection.custom_type': 'Other', 'promptflow.connection.module': 'probe_tools' },
      secrets: {},
    },
    {
      name: 'safety',
      type: 'azure_content_safety',
      configs: { endpoint: url, api_version: '2023-10-01' },
      secrets,
    },
  ];
}

const refusals: readonly ServerReply[] = [
  {
    when: 'BADKEY',
    status: 401,
    error: {
      message: 'Incorrect API key provided: x',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    },
  },
  {
    when: 'QUOTA',
    status: 429,
    error: { message: 'You exceeded', type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
  },
  { when: 'AZ400', status: 404, text: '{"statusCode": 404, "message": "Resource not found"}' },
  { when: 'TEXT400', status: 400, text: 'plain bad' },
  { when: 'EMPTY400', status: 400, text: '' },
];

/** The answer that Prompt flow was given. */
function answer({ output }: PromptFlowCase): ServerReply {
  if (typeof output === 'string') return { message: { content: output } };
  if (Array.isArray(output)) {
    const text = output.at(-1) as JsonValue | undefined;
    if (typeof text === 'string') return { message: { content: text } };
    return { embedding: output as readonly number[] };
  }
  const { function_call: call = null, tool_calls: calls = null } = (output ?? {}) as JsonObject;
  if (call !== null) return { message: { function_call: call } };
  return calls === null ? {} : { message: { tool_calls: calls } };
}
