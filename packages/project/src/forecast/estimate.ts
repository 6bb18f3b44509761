import type { JsonObject, NodeForecast } from '@unroll/engine';
import type { Price } from '../prices/price-file.ts';
import type { NodeRate } from './earlier-rates.ts';

/** Between two bounds. `isOpen`: part of it is not known, and more is possible. */
export interface Range {
  readonly min: number;
  readonly likely: number;
  readonly max: number;
  readonly isOpen: boolean;
}

/** What a node is held to do over all rows. */
export interface NodeEstimate {
  readonly node: string;
  readonly calls: Range;
  /** Rows in which its output stands in the earlier run. */
  readonly taken: number;
  /** Absent where it asks no model. */
  readonly promptTokens?: Range;
  readonly completionTokens?: Range;
  /** US dollars; absent where it asks no model, or nobody knows or asks a price. */
  readonly cost?: Range;
}

export interface NodeFacts {
  readonly asksModel: boolean;
  /** Tokens of what it sends. */
  readonly tokensOf: (request: JsonObject) => number;
  readonly rate?: NodeRate | undefined;
  readonly price?: Price | undefined;
}

/** Adds up the forecasts of rows for one node. */
export class NodeTally {
  private readonly node: string;
  private readonly facts: NodeFacts;
  private sure = 0;
  private open = 0;
  private taken = 0;
  /** Calls whose prompt is known, and what is known of the others. */
  private readonly known = { calls: 0, tokens: 0 };
  private readonly partly = { calls: 0, tokens: 0 };
  /** What the answers of all calls may come to. */
  private readonly most = { tokens: 0, isOpen: false };

  constructor(node: string, facts: NodeFacts) {
    this.node = node;
    this.facts = facts;
  }

  take({ outcome, sends, isKnown }: NodeForecast): void {
    if (outcome === 'taken') this.taken += 1;
    if (outcome !== 'runs' && outcome !== 'may run') return;
    if (outcome === 'runs') this.sure += 1;
    else this.open += 1;
    if (!this.facts.asksModel || sends === undefined) return;
    const request = sends as JsonObject;
    const counted = isKnown && outcome === 'runs' ? this.known : this.partly;
    counted.calls += 1;
    counted.tokens += this.facts.tokensOf(request);
    const most = mostOf(request);
    if (most === undefined) this.most.isOpen = true;
    else this.most.tokens += most;
  }

  /** @param scale rows there are for each row that was looked at */
  estimate(scale: number): NodeEstimate {
    const { rate, asksModel } = this.facts;
    const counts = { min: this.sure, likely: this.sure + this.open * (rate?.share ?? 1), max: this.sure + this.open };
    const shared = { node: this.node, calls: scaled({ ...counts, isOpen: false }, scale), taken: this.taken * scale };
    if (!asksModel) return shared;
    const promptTokens = scaled(this.promptTokens(counts), scale);
    const completionTokens = scaled(this.completionTokens(counts), scale);
    const { price } = this.facts;
    if (price === undefined) return { ...shared, promptTokens, completionTokens };
    return { ...shared, promptTokens, completionTokens, cost: costOf(promptTokens, completionTokens, price) };
  }

  private promptTokens(calls: Counts): Range {
    const { known, partly } = this;
    const least = partly.calls === 0 ? 0 : partly.tokens / partly.calls;
    const each = this.facts.rate?.promptTokens ?? least;
    const others = (count: number): number => known.tokens + Math.max(0, count - known.calls) * each;
    const isOpen = calls.max > known.calls && this.facts.rate?.promptTokens === undefined;
    return { min: others(calls.min), likely: others(calls.likely), max: others(calls.max), isOpen };
  }

  private completionTokens({ min, likely, max }: Counts): Range {
    const earlier = this.facts.rate?.completionTokens;
    const calls = this.known.calls + this.partly.calls;
    const most = this.most.isOpen || calls === 0 ? undefined : this.most.tokens / calls;
    const each = earlier === undefined || most === undefined ? earlier : Math.min(earlier, most);
    if (each !== undefined) return { min: min * each, likely: likely * each, max: max * (most ?? each), isOpen: false };
    return { min: 0, likely: likely * (most ?? 0), max: max * (most ?? 0), isOpen: most === undefined && max > 0 };
  }
}

/** Tokens that the answers to a request may have, of all its choices; undefined where it sets no bound. */
function mostOf(request: JsonObject): number | undefined {
  const most = request['max_tokens'] ?? request['max_completion_tokens'];
  const { n: choices } = request;
  return typeof most === 'number' ? most * (typeof choices === 'number' ? choices : 1) : undefined;
}

type Counts = Pick<Range, 'min' | 'likely' | 'max'>;

function costOf(prompt: Range, completion: Range, price: Price): Range {
  const dollars = (of: keyof Counts): number => (prompt[of] * price.input + completion[of] * price.output) / 1_000_000;
  return {
    min: dollars('min'),
    likely: dollars('likely'),
    max: dollars('max'),
    isOpen: prompt.isOpen || completion.isOpen,
  };
}

function scaled({ min, likely, max, isOpen }: Range, scale: number): Range {
  return { min: min * scale, likely: likely * scale, max: max * scale, isOpen };
}

export function addRanges(ranges: readonly Range[]): Range {
  const sum = (of: keyof Counts): number => ranges.reduce((all, range) => all + range[of], 0);
  return { min: sum('min'), likely: sum('likely'), max: sum('max'), isOpen: ranges.some(({ isOpen }) => isOpen) };
}
