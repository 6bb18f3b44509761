import {
  type JsonObject,
  loopShapes,
  type NodeRun,
  type ReadEnd,
  type ReadRecord,
  type RowRun,
  type RowView,
  type RunReader,
} from '@unroll/engine';
import { groupFailures } from '../bulk/failure-groups.ts';
import { isPricedByPart, type PriceOf } from '../prices/node-prices.ts';
import { Spent } from '../prices/spent.ts';
import { aggregationEnd, namesOverRows, nodesOverRows } from '../records/nodes-over-rows.ts';
import { yieldBetween } from '../records/yield-between.ts';
import { LoopColumns } from './loop-columns.ts';
import { NodeColumns } from './node-columns.ts';
import type { NodeIndex, RowIndex } from './row-index.ts';
import { searchText } from './search-text.ts';

/** Reads the whole of a record once; in between others get their turn. */
export async function readRowIndex(reader: RunReader, priceOf: PriceOf, signal?: AbortSignal): Promise<RowIndex> {
  const reading = new IndexSoFar(reader, priceOf);
  const batches = reader.readRows(reading.wanted());
  for await (const rows of yieldBetween(batches, signal)) for (const row of rows) reading.take(row);
  for (const run of await nodesOverRows(reader)) reading.takeOverRows(run);
  reading.endedAt = Math.max(reading.endedAt, await aggregationEnd(reader));
  reading.metrics = await reader.metrics();
  return reading.index();
}

class IndexSoFar {
  private readonly reader: RunReader;
  private readonly priceOf: PriceOf;
  private readonly nodes: ReadonlyMap<string, NodeColumns>;
  private readonly overRows: ReadonlyMap<string, NodeColumns>;
  private readonly loops: ReadonlyMap<string, LoopColumns>;
  private readonly texts: string[] = [];
  private readonly failures = groupFailures();
  private readonly lines: number[] = [];
  private readonly repeats: number[] = [];
  private readonly statuses: RowRun['status'][] = [];
  private readonly durations: number[] = [];
  private readonly tokens: number[] = [];
  private readonly costs: (number | undefined)[] = [];
  private readonly partial: boolean[] = [];
  private unfinished = 0;
  metrics: JsonObject = {};
  endedAt: number;

  constructor(reader: RunReader, priceOf: PriceOf) {
    const { nodes, startedAt } = reader.info;
    const overRows = namesOverRows(reader.info);
    const columns = (names: readonly string[]) => new Map(names.map((name) => [name, new NodeColumns()]));
    const names = nodes.map(({ name }) => name);
    this.reader = reader;
    this.priceOf = priceOf;
    this.nodes = columns(names.filter((name) => !overRows.has(name)));
    this.overRows = columns(names.filter((name) => overRows.has(name)));
    this.loops = new Map(loopShapes(nodes).map((shape) => [shape.name, new LoopColumns(shape)]));
    this.endedAt = startedAt;
  }

  /** Whole records only where a cost is told by them alone, and where outputs may be taken from before. */
  wanted(): Parameters<RunReader['readRows']>[0] {
    const ends = [...this.nodes.keys()];
    const { info } = this.reader;
    if (info.options?.['since'] !== undefined) return { nodes: ends, ends };
    return { nodes: ends.filter((name) => isPricedByPart(name, info, this.priceOf)), ends };
  }

  take(row: RowView): void {
    this.lines.push(row.line);
    this.repeats.push(row.repeat);
    this.statuses.push(row.status);
    this.durations.push(row.durationMs);
    for (const node of this.nodes.values()) node.begin();
    const spent = new Spent();
    for (const end of row.nodes) this.takeNode(end, row.records.get(end.node)?.cache, spent);
    this.tokens.push(spent.tokens);
    this.costs.push(spent.cost);
    this.partial.push(spent.isCostPartial);
    for (const loop of this.loops.values()) loop.take(row);
    if (row.isUnfinished) this.unfinished += 1;
    this.texts.push(searchText([...Object.values(row.inputs), ...Object.values(row.outputs)], errorText(row)));
    if (row.error !== undefined && row.status === 'Failed') {
      this.failures.row({ line: row.line, repeat: row.repeat, error: row.error });
    }
    this.endedAt = Math.max(this.endedAt, row.startedAt + row.durationMs);
  }

  private takeNode({ node, ...end }: Omit<ReadEnd, 'kind'>, cache: ReadRecord['cache'], spent: Spent): void {
    const price = end.usage === undefined ? undefined : this.priceOf(node, end.usage);
    this.nodes.get(node)?.take(end, cache, price);
    if (end.usage !== undefined && cache !== 'hit') spent.call(end.usage, price);
  }

  takeOverRows({ node, status, durationMs, usage, cache }: NodeRun): void {
    const columns = this.overRows.get(node);
    columns?.begin();
    columns?.take({ status, durationMs, usage }, cache, usage === undefined ? undefined : this.priceOf(node, usage));
  }

  index(): RowIndex {
    const { lines, repeats, statuses, durations, tokens, costs, partial, texts, unfinished, metrics, endedAt } = this;
    const places = new Map(lines.map((line, at) => [`${line}/${repeats[at]}`, at]));
    return {
      size: lines.length,
      ...{ lines, repeats, statuses, durations, tokens, costs, partial, texts, unfinished, metrics, endedAt },
      nodes: indexes(this.nodes),
      overRows: indexes(this.overRows),
      loops: new Map([...this.loops].map(([name, loop]) => [name, loop.index()])),
      failures: this.failures.all(),
      find: (line, repeat) => places.get(`${line}/${repeat}`),
    };
  }
}

function indexes(nodes: ReadonlyMap<string, NodeColumns>): ReadonlyMap<string, NodeIndex> {
  return new Map([...nodes].map(([name, node]) => [name, node.index()]));
}

function errorText({ error }: RowView): string | undefined {
  return error === undefined ? undefined : `${error.code}: ${error.message}`;
}
