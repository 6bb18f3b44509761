import { eachOf, type RowRun } from '@unroll/engine';
import type { EvalResult, MetricSpec } from '@unroll/evals';
import { judgedAnswer } from '../labels/judged-answer.ts';
import { keyText, type LabelKey, labelKey } from '../labels/label-file.ts';
import type { HeldRun } from './held-run.ts';

/** A row as it can be labelled. */
export interface LabelledRow {
  readonly line: number;
  readonly repeat: number;
  readonly key: LabelKey;
  readonly keyText: string;
}

const maxHeld = 8;

/** Rows of runs with what their labels are kept under: read once, as long as the record stays as it is. */
export class LabelledRows {
  private readonly held = new Map<string, Promise<readonly LabelledRow[]>>();

  async of({ path, reader, stamp: stampNow }: HeldRun, metric: MetricSpec): Promise<readonly LabelledRow[]> {
    const stamp = `${await stampNow()} ${path} ${metric.name} ${metric.on?.text ?? ''}`;
    const known = this.held.get(stamp);
    if (known !== undefined) return await known;
    const rows = Array.fromAsync(eachOf(reader.rows()), (row) => labelledRow(row, metric));
    const completed = rows.then((all) => all.flatMap((row) => row ?? []));
    this.held.set(stamp, completed);
    completed.catch(() => this.held.delete(stamp));
    for (const old of [...this.held.keys()].slice(0, -maxHeld)) this.held.delete(old);
    return await completed;
  }
}

/** A row that failed has no answer to be judged. */
function labelledRow(row: RowRun, metric: MetricSpec): LabelledRow | undefined {
  if (row.status !== 'Completed') return undefined;
  const key = labelKey(metric.name, row.inputs, judgedAnswer(row.outputs, metric));
  return { line: row.line, repeat: row.repeat ?? 0, key, keyText: keyText(key) };
}

/** What the metric said of rows, by `line/repeat`: 1 passes, 0 fails. */
export function verdictsOf(result: EvalResult | undefined, name: string): ReadonlyMap<string, boolean> {
  const metric = result?.metrics.find((one) => one.name === name);
  if (metric?.kind !== 'pass') return new Map();
  const { lines, repeats, values } = metric.scores;
  return new Map(values.map((value, at) => [`${lines[at] ?? 0}/${repeats[at] ?? 0}`, value === 1]));
}
