import { resolve } from 'node:path';
import { addUsage, type Connection, type NodeError, type Usage } from '@unroll/engine';
import { ConcurrencyLimiter } from '@unroll/nodes';
import type { CatalogueTool } from '@unroll/nodes/tool-catalogue';
import { type AskedQueries, askForQueries, type QueryAsking, queryRequest } from '@unroll/nodes/tool-queries';
import { composeEmbedders } from '../connections/compose.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { callCost } from '../prices/cost-of.ts';
import { findPrices, freeOfCharge, priceOf } from '../prices/price-list.ts';
import { connectionNamed } from '../search-index/index-connection.ts';
import { KeptQueries } from './kept-queries.ts';

export interface ToolQuerySettings {
  readonly connection: string;
  readonly model?: string | undefined;
  /** Queries a tool. */
  readonly count: number;
  /** Where queries are kept, from the current folder. */
  readonly kept: string;
  readonly connectionsFile?: string | undefined;
}

export interface ToolQueryProgress {
  readonly done: number;
  readonly total: number;
}

/** What was made, and what it took. */
export interface MadeToolQueries {
  /** In the order of the tools; none where the model failed. */
  readonly queries: readonly (readonly string[])[];
  readonly asked: number;
  /** Tools whose queries were there already. */
  readonly known: number;
  readonly usage?: Usage;
  /** US dollars; undefined where the model has no known price. */
  readonly dollars?: number;
  readonly failures: readonly { readonly tool: string; readonly error: NodeError }[];
}

const atOnce = 8;

/**
 * Queries for each tool of a catalogue, by a model. What was asked before is taken from the file of kept queries.
 *
 * @throws ProjectFailure where the connection is no model, or the file cannot be written
 */
export async function makeToolQueries(
  tools: readonly CatalogueTool[],
  settings: ToolQuerySettings,
  following: { readonly signal: AbortSignal; readonly onProgress: (progress: ToolQueryProgress) => void },
  system: System,
): Promise<MadeToolQueries> {
  const { connections, services } = composeEmbedders(system, settings.connectionsFile);
  const connection = connectionNamed(settings.connection, connections, system);
  const asking = await openAsking(connection, settings, services, following.signal);
  const kept = new KeptQueries(resolve(system.folder, settings.kept));
  const open = tools.filter((tool) => kept.find(queryRequest(tool, asking)) === undefined);
  const known = tools.length - open.length;
  const asked = await askAll(open, asking, kept, (done) =>
    following.onProgress({ done: known + done, total: tools.length }),
  );
  const queries = tools.map((tool) => kept.find(queryRequest(tool, asking)) ?? []);
  return { queries, known, ...asked, ...priceOfAll(asked.usage, connection, asking.model, system) };
}

type Services = ReturnType<typeof composeEmbedders>['services'];

async function openAsking(
  connection: Connection,
  { model, count }: ToolQuerySettings,
  { openService, clock }: Services,
  signal: AbortSignal,
): Promise<QueryAsking> {
  const service = await openService?.(connection);
  if (service === undefined || clock === undefined)
    throw new ProjectFailure(`the connection "${connection.name}" (${connection.type}) is no chat model`);
  const isOffline = connection.type === 'offline';
  if (model === undefined && !isOffline) {
    throw new ProjectFailure(`which model of the connection "${connection.name}"? Give --model`, {
      help: 'At Azure the name of its deployment',
    });
  }
  return { service, model: model ?? 'offline', count, gate: new ConcurrencyLimiter(), clock, signal };
}

type AskedTools = Pick<MadeToolQueries, 'asked' | 'usage' | 'failures'>;

/** Asks for some tools at once. A failure that no further try can help ends it: it would be the same for all. */
async function askAll(
  tools: readonly CatalogueTool[],
  asking: QueryAsking,
  kept: KeptQueries,
  onDone: (done: number) => void,
): Promise<AskedTools> {
  const waiting = tools.values();
  let made: AskedTools = { asked: 0, failures: [] };
  const isOver = (): boolean => asking.signal.aborted || made.failures.some(({ error }) => !error.retryable);
  const askInTurn = async (): Promise<void> => {
    for (const tool of waiting) {
      if (isOver()) return;
      const answer = await askForQueries(tool, asking);
      if (answer.ok) kept.add(queryRequest(tool, asking), tool.name, answer.queries);
      made = counted(made, tool, answer);
      onDone(made.asked);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, tools.length) }, askInTurn));
  return made;
}

function counted(
  { asked, failures, usage: before }: AskedTools,
  { name }: CatalogueTool,
  answer: AskedQueries,
): AskedTools {
  const usage = answer.usage === undefined ? before : addUsage(before, answer.usage);
  const took = usage === undefined ? {} : { usage };
  if (!answer.ok) return { asked, failures: [...failures, { tool: name, error: answer.error }], ...took };
  return { asked: asked + 1, failures, ...took };
}

function priceOfAll(
  usage: Usage | undefined,
  { type }: Connection,
  model: string,
  system: System,
): Pick<MadeToolQueries, 'dollars'> {
  if (usage === undefined) return {};
  const { dollars, isPartial } = callCost(
    usage,
    type === 'offline' ? freeOfCharge : priceOf(model, findPrices(system)),
  );
  return isPartial ? {} : { dollars };
}
