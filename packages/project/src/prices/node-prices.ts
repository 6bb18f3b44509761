import {
  type ConnectionSource,
  fallbackConnection,
  fallbackModel,
  type JsonObject,
  type NodeDefinition,
  type Plan,
  type PlanNode,
  type RunInfo,
  readFallbacks,
  type Usage,
} from '@unroll/engine';
import { callCost } from './cost-of.ts';
import type { Price } from './price-file.ts';
import { freeOfCharge, type PriceList, priceOf } from './price-list.ts';

/** Kinds of connections that nobody is billed for. */
const free: ReadonlySet<string> = new Set(['offline', 'scripted']);

/** The price of a node's calls; of the call with these tokens, where another connection than its own may have answered it. */
export type PriceOf = (node: string, usage?: Usage) => Price | undefined;

function pricedBy(known: ReadonlyMap<string, Price | undefined>, prices: PriceList): PriceOf {
  return (node, usage) => {
    const { billedAs, parts } = usage ?? {};
    if (parts !== undefined) return averagePrice(parts, prices);
    return billedAs === undefined ? known.get(node) : billedPrice(billedAs, prices);
  };
}

function billedPrice({ connectionType, model }: NonNullable<Usage['billedAs']>, prices: PriceList): Price | undefined {
  return free.has(connectionType) ? freeOfCharge : priceOf(model, prices);
}

/** Of calls of several models: what they cost together, spread over their tokens. */
function averagePrice(parts: readonly Usage[], prices: PriceList): Price | undefined {
  let [dollars, tokens] = [0, 0];
  for (const part of parts) {
    const price = part.billedAs === undefined ? undefined : billedPrice(part.billedAs, prices);
    const cost = callCost(part, price);
    if (cost.isPartial) return undefined;
    dollars += cost.dollars;
    tokens += part.promptTokens + part.completionTokens;
  }
  const each = tokens === 0 ? 0 : (dollars / tokens) * 1_000_000;
  const [cached_input, cache_write_input, audio_input, audio_output] = [each, each, each, each];
  return { input: each, output: each, cached_input, cache_write_input, audio_input, audio_output };
}

/** Prices of a plan's nodes by name; those whose model is unknown have none. */
export function nodePrices(plan: Plan, connections: ConnectionSource, prices: PriceList): PriceOf {
  const known = new Map(plan.nodes.map((node) => [node.name, nodePrice(node, connections, prices)]));
  return pricedBy(known, prices);
}

/** Nodes that ask a model which has a price nobody knows: what they cost cannot be held to a budget. */
export function unpricedNodes(plan: Plan, connections: ConnectionSource, prices: PriceList): readonly string[] {
  return plan.nodes.flatMap((node) => {
    const { connection } = node.definition;
    if (connection === undefined) return [];
    const isPriced = nodePrice(node, connections, prices) !== undefined;
    return isPriced && fallbackPrices(node, connections, prices).every((price) => price !== undefined)
      ? []
      : [node.name];
  });
}

/** Nodes that another connection may answer for more than their own. */
export function nodesWithDearerFallback(
  plan: Plan,
  connections: ConnectionSource,
  prices: PriceList,
): readonly string[] {
  return plan.nodes.flatMap((node) => {
    const own = nodePrice(node, connections, prices);
    const isDearer = (one: Price | undefined): boolean =>
      own !== undefined && one !== undefined && (one.input > own.input || one.output > own.output);
    return fallbackPrices(node, connections, prices).some(isDearer) ? [node.name] : [];
  });
}

/** Prices of a recorded run's nodes, by the models and connections that its definitions name. */
export function recordedPrices({ nodeDefinitions = {} }: Pick<RunInfo, 'nodeDefinitions'>, prices: PriceList): PriceOf {
  const known = new Map(Object.entries(nodeDefinitions).map(([node, parts]) => [node, recordedPrice(parts, prices)]));
  return pricedBy(known, prices);
}

/**
 * Whether what a node cost is told by whole records alone: tokens from a cache have a price of their own, another connection
 * may have answered in the place of one that is free, and what code asks itself is told by its answers.
 */
export function isPricedByPart(
  node: string,
  { nodeDefinitions = {} }: Pick<RunInfo, 'nodeDefinitions'>,
  priceOf: PriceOf,
): boolean {
  const price = priceOf(node);
  const parts = nodeDefinitions[node] ?? {};
  const asksItself = price === undefined && parts['connection'] === undefined;
  return asksItself || (price !== undefined && price !== freeOfCharge) || parts['retry'] !== undefined;
}

function recordedPrice(parts: Readonly<Record<string, string>>, prices: PriceList): Price | undefined {
  const [type = ''] = (parts['connection'] ?? '').split(' ');
  if (free.has(type)) return freeOfCharge;
  const named = [parts['input model'], parts['input deployment_name']];
  return named.map((model) => (model === undefined ? undefined : priceOf(model, prices))).find((one) => one);
}

/** US dollars of a call of a recorded run, 0 where nobody is billed; undefined where some of it has no price. */
export function recordedCosts(
  info: Pick<RunInfo, 'nodeDefinitions'>,
  prices: PriceList,
): (node: string, usage: Usage) => number | undefined {
  const priceOfNode = recordedPrices(info, prices);
  return (node, usage) => {
    const { dollars, isPartial } = callCost(usage, priceOfNode(node, usage));
    return isPartial ? undefined : dollars;
  };
}

/** Price of the model a node calls: what it names as `model`, or a deployment that is called after its model. */
function nodePrice({ definition }: PlanNode, connections: ConnectionSource, prices: PriceList): Price | undefined {
  const { connection } = definition;
  if (connection !== undefined && free.has(connections.find(connection)?.type ?? '')) return freeOfCharge;
  return modelPrice(definition, prices);
}

function modelPrice({ inputs }: NodeDefinition, prices: PriceList): Price | undefined {
  for (const name of ['model', 'deployment_name']) {
    const input = inputs[name];
    const price =
      input?.kind === 'literal' && typeof input.value === 'string' ? priceOf(input.value, prices) : undefined;
    if (price !== undefined) return price;
  }
  return undefined;
}

/** Of the connections that may answer in the place of the node's own; undefined where nobody knows one. */
function fallbackPrices(
  { definition }: PlanNode,
  connections: ConnectionSource,
  prices: PriceList,
): readonly (Price | undefined)[] {
  const { fallback } = (definition.settings['retry'] ?? {}) as JsonObject;
  return readFallbacks(fallback).map((one) => {
    if (free.has(connections.find(fallbackConnection(one))?.type ?? '')) return freeOfCharge;
    const model = fallbackModel(one);
    return model === undefined ? modelPrice(definition, prices) : priceOf(model, prices);
  });
}
