import type { ConnectionSource, DataRow, JsonObject, Plan, PlanNode, RunnableFlow } from '@unroll/engine';
import { nodePrices, nodesWithDearerFallback, unpricedNodes } from '../prices/node-prices.ts';
import { freeOfCharge, type PriceList } from '../prices/price-list.ts';
import { requestTokens, type TokenCounter, tokenCounter } from './count-tokens.ts';
import type { EarlierRates } from './earlier-rates.ts';
import { addRanges, type NodeEstimate, NodeTally, type Range } from './estimate.ts';

/** What a run is held to take, before it takes anything. */
export interface RunForecast {
  readonly rows: number;
  /** Rows that were looked at one by one; the rest is held to be like them. */
  readonly looked: number;
  /** Rows whose nodes all stand in the earlier run. */
  readonly takenRows: number;
  /** Rows beside those, in which nothing runs: they cannot be read, or lack what a mapping names. Repetitions counted. */
  readonly failingRows: number;
  /** In the order of the flow, instances of a loop's node as one (`agent[*]`). */
  readonly groups: readonly GroupEstimate[];
  readonly total: Omit<NodeEstimate, 'node' | 'taken'>;
  /** Nodes whose model has a price that nobody knows. */
  readonly unpriced: readonly string[];
  /** Nodes that another connection may answer for more: what it would cost is in no number here. */
  readonly dearerFallbacks: readonly string[];
  /** Nodes that ask a model once after all rows, about what these gave: they are in no number here. */
  readonly uncounted: readonly string[];
}

interface GroupEstimate extends NodeEstimate {
  readonly kind: string;
  readonly model?: string;
}

export interface ForecastOptions {
  readonly repeat: number;
  /** How many rows there are, repetitions counted, where that is known. */
  readonly total?: number | undefined;
  readonly connections: ConnectionSource;
  readonly prices: PriceList;
  readonly rates: EarlierRates | undefined;
}

const maxLooked = 1000;

/** Goes through the rows of a run without running them. */
export async function forecastRun(
  flow: RunnableFlow,
  rows: AsyncIterable<DataRow>,
  options: ForecastOptions,
): Promise<RunForecast> {
  const { plan } = flow;
  const tallies = await createTallies(plan, options);
  const seen = { rows: 0, looked: 0, taken: 0, failing: 0 };
  const isLooked = lookedRows(options.total);
  for await (const row of rows) {
    if ('problem' in row) {
      seen.failing += options.repeat;
      continue;
    }
    for (let repeat = 0; repeat < options.repeat; repeat += 1) {
      seen.rows += 1;
      if (!isLooked(seen.rows - 1)) continue;
      seen.looked += 1;
      if (await lookAt(flow, row.values, { line: row.line, repeat }, tallies)) seen.taken += 1;
    }
  }
  const scale = seen.looked === 0 ? 0 : seen.rows / seen.looked;
  const estimates = new Map([...tallies].map(([node, tally]) => [node, tally.estimate(scale)]));
  const groups = groupsOf(plan, estimates);
  return {
    rows: seen.rows,
    looked: seen.looked,
    takenRows: Math.round(seen.taken * scale),
    failingRows: seen.failing,
    groups,
    total: sumOf(groups.filter(({ promptTokens }) => promptTokens !== undefined)),
    unpriced: unpricedNodes(plan, options.connections, options.prices),
    dearerFallbacks: nodesWithDearerFallback(plan, options.connections, options.prices),
    uncounted: plan.nodes.filter(asksAfterRows).map(({ name }) => name),
  };
}

/**
 * Of more than a thousand rows so many are looked at, spread over all of them where it is known how many there are: an earlier
 * run that was stopped answers the first.
 */
function lookedRows(total = maxLooked): (index: number) => boolean {
  const step = Math.ceil(total / maxLooked);
  return (index) => index % step === 0 && index < step * maxLooked;
}

/** @returns whether nothing of the row would run */
async function lookAt(
  flow: RunnableFlow,
  values: JsonObject,
  place: { readonly line: number; readonly repeat: number },
  tallies: ReadonlyMap<string, NodeTally>,
): Promise<boolean> {
  const forecasts = await flow.forecastRow(values, place);
  for (const forecast of forecasts) tallies.get(forecast.node)?.take(forecast);
  return forecasts.every(({ outcome }) => outcome !== 'runs' && outcome !== 'may run');
}

async function createTallies(plan: Plan, options: ForecastOptions): Promise<ReadonlyMap<string, NodeTally>> {
  const priceOf = nodePrices(plan, options.connections, options.prices);
  const counters = new Map<string | undefined, TokenCounter>();
  const tallies = new Map<string, NodeTally>();
  for (const node of plan.nodes) {
    if (node.aggregation) continue;
    const rate = options.rates?.nodes.get(node.name);
    const asksModel = node.definition.connection !== undefined || rate?.promptTokens !== undefined;
    const model = modelOf(node);
    const count = counters.get(model) ?? (asksModel ? await tokenCounter(model) : () => 0);
    counters.set(model, count);
    const tokensOf = (request: JsonObject): number => requestTokens(request, count);
    const known = priceOf(node.name);
    const price = known === freeOfCharge ? undefined : known;
    tallies.set(node.name, new NodeTally(node.name, { asksModel, tokensOf, rate, price }));
  }
  return tallies;
}

function asksAfterRows({ aggregation, definition }: PlanNode): boolean {
  return aggregation && definition.connection !== undefined;
}

function modelOf({ definition }: PlanNode): string | undefined {
  for (const name of ['model', 'deployment_name']) {
    const input = definition.inputs[name];
    if (input?.kind === 'literal' && typeof input.value === 'string' && input.value !== '') return input.value;
  }
  return undefined;
}

function groupsOf(plan: Plan, estimates: ReadonlyMap<string, NodeEstimate>): readonly GroupEstimate[] {
  const groups = new Map<string, { readonly node: PlanNode; readonly members: NodeEstimate[] }>();
  for (const node of plan.nodes) {
    const estimate = estimates.get(node.name);
    if (estimate === undefined) continue;
    const { instance } = node;
    const name = instance !== undefined && instance.iteration > 0 ? `${instance.family}[*]` : node.name;
    const group = groups.get(name) ?? { node, members: [] };
    group.members.push(estimate);
    groups.set(name, group);
  }
  return [...groups].map(([name, { node, members }]): GroupEstimate => {
    const model = modelOf(node);
    const taken = members.reduce((sum, member) => sum + member.taken, 0);
    const kind = node.definition.type;
    return { node: name, kind, taken: Math.round(taken), ...(model === undefined ? {} : { model }), ...sumOf(members) };
  });
}

function sumOf(members: readonly Omit<NodeEstimate, 'node' | 'taken'>[]): Omit<NodeEstimate, 'node' | 'taken'> {
  const sum = (of: 'promptTokens' | 'completionTokens' | 'cost'): Range | undefined => {
    const ranges = members.flatMap((member) => member[of] ?? []);
    return ranges.length === 0 ? undefined : addRanges(ranges);
  };
  const [promptTokens, completionTokens, cost] = [sum('promptTokens'), sum('completionTokens'), sum('cost')];
  return {
    calls: addRanges(members.map(({ calls }) => calls)),
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(completionTokens === undefined ? {} : { completionTokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}
