import type { ConnectionSource, Plan, PlanNode, RunInfo, Usage } from '@unroll/engine';
import * as z from 'zod';
import { CommandFailure } from '../command-failure.ts';
import { readJson, readTextFile } from '../commands/read-inputs.ts';
import type { Io } from '../io.ts';
import listed from './prices.json' with { type: 'json' };

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

const priceList = z.object({
  date: z.string(),
  models: z.record(z.string(), z.object({ input: z.number().min(0), output: z.number().min(0) })),
});

export type PriceList = z.infer<typeof priceList>;

/** Not read with the schema, which would cost each start some milliseconds. */
const listedPrices: PriceList = listed;

/**
 * The prices of FLOW_PRICES, else the listed ones.
 *
 * @throws CommandFailure when that file cannot be read
 */
export function findPrices(io: Io): PriceList {
  const file = io.environment['FLOW_PRICES'] ?? '';
  if (file === '') return listedPrices;
  const read = priceList.safeParse(readJson(readTextFile(file, io), file));
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new CommandFailure(`${file} is no list of prices: ${problems.join('; ')}`);
}

/** The price of a model by its name, a dated one (`gpt-4o-2024-08-06`) at that of its family; undefined where unknown. */
export function priceOf(model: string, prices: PriceList): Price | undefined {
  const name = model.toLowerCase();
  return prices.models[name] ?? prices.models[name.replace(/-\d{4}-?\d{2}-?\d{2}$|-\d{4}$/, '')];
}

export function costOf(usage: Usage, price: Price): number {
  return (usage.promptTokens * price.input + usage.completionTokens * price.output) / 1_000_000;
}

/** Kinds of connections that nobody is billed for. */
const free: ReadonlySet<string> = new Set(['offline', 'scripted']);

/** Prices of a plan's nodes by name; those whose model is unknown have none. */
export function nodePrices(
  plan: Plan,
  connections: ConnectionSource,
  prices: PriceList,
): (node: string) => Price | undefined {
  const known = new Map(plan.nodes.map((node) => [node.name, nodePrice(node, connections, prices)]));
  return (node) => known.get(node);
}

/** Nodes that ask a model which has a price nobody knows: what they cost cannot be held to a budget. */
export function unpricedNodes(plan: Plan, connections: ConnectionSource, prices: PriceList): readonly string[] {
  return plan.nodes.flatMap((node) => {
    const { connection } = node.definition;
    if (connection === undefined || free.has(connections.find(connection)?.type ?? '')) return [];
    return nodePrice(node, connections, prices) === undefined ? [node.name] : [];
  });
}

/** What the calls of a recorded run cost, by the models that its definitions name; undefined where a price is unknown. */
export function recordedPrices(
  { nodeDefinitions = {} }: Pick<RunInfo, 'nodeDefinitions'>,
  prices: PriceList,
): (node: string, usage: Usage) => number | undefined {
  return (node, usage) => {
    const parts = nodeDefinitions[node] ?? {};
    const named = [parts['input model'], parts['input deployment_name']];
    const price = named.map((model) => (model === undefined ? undefined : priceOf(model, prices))).find((one) => one);
    return price === undefined ? undefined : costOf(usage, price);
  };
}

/** Price of the model a node calls: what it names as `model`, or a deployment that is called after its model. */
function nodePrice({ definition }: PlanNode, connections: ConnectionSource, prices: PriceList): Price | undefined {
  const { connection, inputs } = definition;
  if (connection !== undefined && free.has(connections.find(connection)?.type ?? '')) return undefined;
  for (const name of ['model', 'deployment_name']) {
    const input = inputs[name];
    const price =
      input?.kind === 'literal' && typeof input.value === 'string' ? priceOf(input.value, prices) : undefined;
    if (price !== undefined) return price;
  }
  return undefined;
}
