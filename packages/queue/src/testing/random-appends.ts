import type { JsonValue, NodeRun, RowRun, RunInfo, RunLog } from '@unroll/engine';

/** The same numbers from 0 up to 1 for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const randomInfo: RunInfo = {
  id: 'random',
  flowPath: 'flows/random',
  flowName: 'random',
  flowDigest: 'd',
  startedAt: 5.5,
  nodes: [
    ...['fetch', 'rank', '要約', 'ask'].map((name) => ({ name, kind: 'python' })),
    { name: 'mean', kind: 'python', aggregation: true },
  ],
  options: { bulk: true, temperature: 0.5 },
};

/** One thing done to a log. */
export interface Step {
  /** Whether it has to be done before the next one. */
  readonly isWaitedFor: boolean;
  readonly on: (log: RunLog) => Promise<void>;
}

const words = ['個人情報の保護に関する法律', 'a line\n', '"quoted" \\ and 😀 ', 'x'.repeat(40), '\u0000\u0007'];

/** A run as it may come: rows that end or do not, nodes recorded again, failures, rows taken back and run again. */
export class RandomRun {
  private readonly random: () => number;
  private readonly rows: number;
  private at = 0;

  constructor(seed: number, rows: number) {
    this.random = randomNumbers(seed);
    this.rows = rows;
  }

  steps(count: number): readonly Step[] {
    return [this.firstRow(), ...Array.from({ length: count }, () => this.step())];
  }

  private firstRow(): Step {
    const nodes = this.nodes({ line: 0 });
    const row = this.row({ line: 0 }, nodes);
    return { isWaitedFor: true, on: (log) => log.append(nodes, row) };
  }

  private step(): Step {
    const kind = this.below(20);
    if (kind === 0) {
      const metrics = { [`metric ${this.below(3)}`]: this.value(1) };
      return { isWaitedFor: false, on: (log) => log.appendMetrics(metrics) };
    }
    if (kind === 1) {
      const rows = Array.from({ length: 1 + this.below(3) }, () => this.place());
      return { isWaitedFor: true, on: (log) => log.reopen(rows) };
    }
    // Over all rows, beside the first, which ended: no row refers to it.
    if (kind === 2) {
      const mean = { line: 0, node: 'mean', kind: 'python', status: 'Completed', output: this.value(2) } as const;
      return { isWaitedFor: false, on: (log) => log.append([mean]) };
    }
    const place = this.place();
    const nodes = this.nodes(place);
    const row = this.below(3) === 0 ? undefined : this.row(place, nodes);
    return { isWaitedFor: this.below(3) === 0, on: (log) => log.append(nodes, row) };
  }

  private place(): { readonly line: number; readonly repeat?: number } {
    const line = 1 + this.below(this.rows - 1);
    const repeat = this.below(4) === 0 ? 1 : 0;
    return repeat === 0 ? { line } : { line, repeat };
  }

  private nodes(place: { readonly line: number; readonly repeat?: number }): readonly NodeRun[] {
    const handedOn: JsonValue[] = [
      `a question that is long enough to be referred to where it comes again: ${place.line}`,
    ];
    return ['fetch', 'rank', '要約', 'ask', 'late'].flatMap((node) => {
      if (this.below(4) === 0) return [];
      const run = this.node({ ...place, node, kind: node === 'late' ? 'llm' : 'python' }, handedOn);
      if (run.output !== undefined) handedOn.push(run.output);
      return [run];
    });
  }

  private node(place: Pick<NodeRun, 'line' | 'repeat' | 'node' | 'kind'>, handedOn: readonly JsonValue[]): NodeRun {
    const ends = ['Completed', 'Completed', 'Completed', 'Completed', 'Failed', 'Bypassed', 'NotRun'] as const;
    const status = ends[this.below(ends.length)] ?? 'Completed';
    const inputs = { given: this.oneOf(handedOn), other: this.value(2), n: this.below(5) };
    const record = { ...place, status, inputs, startedAt: this.tick(), durationMs: this.random() * 1000 };
    if (status === 'Failed') {
      return { ...record, error: { code: 'E', message: `broke ${this.below(3)}`, retryable: false } };
    }
    if (status !== 'Completed') return { ...place, status };
    return {
      ...record,
      output: this.below(3) === 0 ? this.oneOf(handedOn) : this.value(3),
      ...(this.below(3) === 0 ? { fingerprint: 'f0'.repeat(16).slice(0, 31) + String(this.below(10)) } : {}),
      ...(this.below(4) === 0 ? { usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 } } : {}),
      ...(this.below(6) === 0 ? { inexact: 'copied' as const } : {}),
      ...(this.below(6) === 0 ? { logs: { stdout: 'said\n', stderr: '' }, cache: 'hit' as const } : {}),
    };
  }

  private row(place: { readonly line: number; readonly repeat?: number }, nodes: readonly NodeRun[]): RowRun {
    const failed = nodes.find(({ status }) => status === 'Failed');
    const times = { startedAt: this.tick(), durationMs: this.random() * 50 };
    const inputs = { question: this.oneOf(nodes.map((run) => run.inputs?.['given'] ?? 1)) };
    if (failed?.error !== undefined) {
      return {
        ...place,
        status: 'Failed',
        inputs,
        outputs: {},
        error: { ...failed.error, node: failed.node },
        ...times,
      };
    }
    const outputs = { answer: this.oneOf(nodes.map(({ output }) => output ?? null)), fixed: this.value(1) };
    const row: RowRun = { ...place, status: 'Completed', inputs, outputs, ...times };
    return this.below(5) === 0 ? { ...row, unfinished: ['loop'] } : row;
  }

  private value(depth: number): JsonValue {
    const kind = this.below(depth === 0 ? 4 : 6);
    if (kind === 0) return null;
    if (kind === 1) return this.below(100) / 4;
    if (kind < 4) return (words[this.below(words.length)] ?? '').repeat(1 + this.below(4));
    if (kind === 4) return Array.from({ length: this.below(4) }, () => this.value(depth - 1));
    return Object.fromEntries(Array.from({ length: this.below(4) }, (_, at) => [`k${at}`, this.value(depth - 1)]));
  }

  private oneOf(values: readonly JsonValue[]): JsonValue {
    return values[this.below(Math.max(values.length, 1))] ?? null;
  }

  private tick(): number {
    this.at += 1;
    return 1_700_000_000_000 + this.at + this.below(4) / 4;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }
}
