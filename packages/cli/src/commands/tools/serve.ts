import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject, RunnableFlow } from '@unroll/engine';
import { thrownText } from '@unroll/engine';
import type { CatalogueTool } from '@unroll/nodes/tool-catalogue';
import {
  answerVirtualApi,
  findApi,
  type Simulated,
  type SimulatedCall,
  sharedPlaces,
  simulatedAnswer,
  simulateOnce,
  type VirtualApis,
} from '@unroll/nodes/toolgen';
import { findFlow, openForRun, ProjectFailure } from '@unroll/project';
import { openTools } from '@unroll/project/tool-catalogues';
import { exitCode } from '../../exit-code.ts';
import { readConnections } from '../../inputs/read-connections.ts';
import type { Io } from '../../io.ts';
import type { ServeToolsSettings } from '../../options/tools-options.ts';
import { hostOf } from '../../project-host.ts';
import { openAnswerRecord } from './answer-record.ts';
import { type ServerReply, virtualApiServer } from './virtual-api-server.ts';

/** The port of StableToolBench's own server. */
const defaultPort = 8080;

/** `flow tools serve`: a virtual API server on this machine, until it is interrupted. */
export async function serve(settings: ServeToolsSettings, io: Io): Promise<number> {
  const { catalogue } = openTools(settings.catalogue, io);
  tellShared(catalogue.tools, io);
  const record = openAnswerRecord(settings.recorded, io);
  const simulator = settings.simulator;
  const flow = simulator === undefined ? undefined : await openSimulator(simulator, settings, io);
  if (simulator !== undefined && flow === undefined) return exitCode.wrong;
  await using running = flow;
  const apis: VirtualApis = {
    find: findApi(catalogue.tools),
    recorded: record.answers,
    ...(running === undefined ? {} : { simulate: simulateOnce((asked) => simulate(asked, running, io)) }),
  };
  const answer = async (body: string): Promise<ServerReply> => {
    const { simulated, ...reply } = await answerVirtualApi(body, apis);
    if (simulated !== undefined) record.keep(simulated);
    return reply;
  };
  const server = virtualApiServer(answer, (error) => {
    io.stderr.write(`a request failed: ${thrownText(error)}\n`);
  });
  const port = await listening(server, settings.port ?? defaultPort);
  const counts = `${catalogue.tools.length} APIs, ${record.answers.size} recorded answers`;
  io.stdout.write(`${counts}: POST http://127.0.0.1:${port}/virtual\n`);
  await interrupted(io.interruption());
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return exitCode.done;
}

/** Whoever asks by standardised names may mean any of them. */
function tellShared(tools: readonly CatalogueTool[], io: Io): void {
  for (const [first, ...others] of sharedPlaces(tools)) {
    const names = others.map(({ group, own }) => `${group} / ${own}`).join(', ');
    const meant = `${first?.group} / ${first?.own}`;
    io.stderr.write(`warning: ${meant} is meant where ToolBench's names for it are asked, not ${names}\n`);
  }
}

/** Inputs the simulator is given, as far as it takes them. */
function inputsOf({ tool, input }: SimulatedCall): JsonObject {
  const { category, group, own, description, parameters } = tool;
  const request = { category, tool_name: group, api_name: own, tool_input: input };
  return { request, documentation: { name: own, description, parameters } };
}

async function simulate(call: SimulatedCall, flow: RunnableFlow, io: Io): Promise<Simulated> {
  const names = new Set(flow.plan.inputs.map(({ name }) => name));
  const inputs = Object.fromEntries(Object.entries(inputsOf(call)).filter(([name]) => names.has(name)));
  const { row } = await flow.runRow(inputs);
  const [output = ''] = Object.values(row.outputs);
  if (row.status !== 'Completed') {
    const { message = '' } = row.error ?? {};
    io.stderr.write(`the simulator failed for ${call.tool.own}: ${message}\n`);
    return { answer: { error: 'API not working error...', response: message }, hasFailed: true };
  }
  const answer = simulatedAnswer(output);
  return { answer: answer.type === 'answer' ? ((answer.body ?? {}) as JsonObject) : {}, hasFailed: false };
}

async function openSimulator(path: string, settings: ServeToolsSettings, io: Io): Promise<RunnableFlow> {
  const found = findFlow(path, io);
  const asked = { environment: {}, ...readConnections(settings.connections) };
  return (await openForRun(found, asked, hostOf(settings, io))).flow;
}

async function listening(server: Server, port: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    server.once('error', ({ message }) => reject(new ProjectFailure(`port ${port} cannot be used: ${message}`)));
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function interrupted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((stopped) => signal.addEventListener('abort', () => stopped(), { once: true }));
}
