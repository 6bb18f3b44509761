import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, type NodeRun, openFlow, type RowRun } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { startHttpServer, startOpenAiServer } from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';

export const episodeFolder = join(import.meta.dirname, '../../flows/toolgen-agent');

export interface EpisodeRun {
  readonly row: RowRun;
  readonly nodes: readonly NodeRun[];
  /** Bodies of the requests for thoughts, actions and arguments, in their order. */
  readonly requests: readonly JsonObject[];
  /** How many APIs were simulated. */
  readonly simulated: number;
}

export interface EpisodeWorld {
  /** What the model says, round by round; or a model that answers what it is asked. */
  readonly turns: readonly string[] | ((request: JsonObject) => string);
  /** What the simulated APIs respond. */
  readonly response?: string;
  readonly inputs?: JsonObject;
  /** Lines of apis.jsonl, in place of the flow's own. */
  readonly apis?: readonly JsonObject[];
}

const standIn = 'You stand in for an API';

/** Runs the flow with the real client against a model server on loopback; answers of APIs are simulated by it, too. */
export async function runEpisode({
  turns,
  inputs = {},
  apis,
  response = '37 items',
}: EpisodeWorld): Promise<EpisodeRun> {
  const simulated = JSON.stringify({ error: '', response });
  await using server = await startModel(turns, simulated);
  const folder = mkdtempSync(join(tmpdir(), 'episode-'));
  try {
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
    cpSync(episodeFolder, folder, { recursive: true });
    if (apis !== undefined)
      writeFileSync(join(folder, 'apis.jsonl'), apis.map((one) => JSON.stringify(one)).join('\n'));
    const connection = {
      name: 'offline',
      type: 'open_ai',
      configs: { base_url: `${server.url}/v1` },
      secrets: { api_key: 'sk-never-recorded' },
    };
    const connections = { find: () => connection, names: () => ['offline'] };
    const file = join(folder, 'flow.dag.yaml');
    const { flow, diagnostics, loadError } = await openFlow(
      { file, folder },
      { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections },
    );
    if (flow === undefined) throw new Error(JSON.stringify(loadError ?? diagnostics.map(({ message }) => message)));
    await using running = flow;
    const { row, nodes } = await running.runRow(inputs);
    const bodies = server.bodies();
    const requests = bodies.filter((body) => !JSON.stringify(body).includes(standIn));
    return { row, nodes, requests, simulated: bodies.length - requests.length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface ModelServer extends AsyncDisposable {
  readonly url: string;
  bodies(): readonly JsonObject[];
}

async function startModel(turns: EpisodeWorld['turns'], simulated: string): Promise<ModelServer> {
  if (typeof turns !== 'function') {
    const simulator = Array.from({ length: 20 }, () => ({ when: standIn, message: { content: simulated } }));
    const said = turns.map((content) => ({ message: { content } }));
    const server = await startOpenAiServer([...simulator, ...said]);
    return {
      url: server.url,
      bodies: () => server.requests.map(({ body }) => body as JsonObject),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  const server = await startHttpServer(({ body }) => {
    const content = body.includes(standIn) ? simulated : turns(JSON.parse(body) as JsonObject);
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content } };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    return { body: { id: 'c', object: 'chat.completion', created: 0, model: 'offline', choices: [choice], usage } };
  });
  return {
    url: server.url,
    bodies: () => server.requests.map(({ body }) => JSON.parse(body) as JsonObject),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Texts of the user in a request, in their order. */
export function userTurns(request: JsonObject | undefined): readonly string[] {
  const messages = (request?.['messages'] ?? []) as readonly JsonObject[];
  return messages.filter(({ role }) => role === 'user').map(({ content }) => String(content));
}
