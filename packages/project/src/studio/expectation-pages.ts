import { resolve } from 'node:path';
import { type JsonValue, openData, RowLines, textOrJson } from '@unroll/engine';
import { joinData, type MetricSpec } from '@unroll/evals';
import { requireInside } from '../host/inside-folder.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ShownFile } from '../host/with-file-lock.ts';
import { type PlannedChange, planChange, writeChange } from '../labels/dataset-change.ts';
import { valueIn } from '../labels/dataset-rows.ts';
import { judgedAnswer } from '../labels/judged-answer.ts';
import type { ExpectationChange, ExpectationChanged } from '../studio-contract/contract.ts';
import { fileStamp } from './evaluations.ts';
import type { Studio } from './studio.ts';
import { wordChanges } from './value-changes.ts';
import { valueView } from './value-view.ts';

/** Answers that become what the dataset expects, and what it expects now. */
export class ExpectationPages {
  private readonly studio: Studio;
  private held: { readonly key: string; readonly values: Promise<ReadonlyMap<number, JsonValue>> } | undefined;

  constructor(studio: Studio) {
    this.studio = studio;
  }

  /** What stands in a column of a dataset, by line; read once, as long as the file stays as it is. */
  values(data: string, column: string): Promise<ReadonlyMap<number, JsonValue>> {
    const file = resolve(this.studio.host.folder, data);
    const key = `${file} ${fileStamp(file)} ${column}`;
    if (this.held?.key !== key) this.held = { key, values: columnValues(file, column) };
    return this.held.values;
  }

  /**
   * Shows what accepting an answer changes in the dataset, or writes what was shown.
   *
   * @throws ProjectFailure where the row's question is not in the data any more, or its file cannot be changed
   */
  async change(asked: ExpectationChange, metric: MetricSpec): Promise<ExpectationChanged> {
    const { file, answer } = await this.subject(asked, metric);
    const { line, digest, column = expectationColumn(metric), expected = textOrJson(answer) } = asked;
    const change = { line, column, expected };
    const planned = digest === undefined ? await planChange(file, change) : await writeChange(file, change, digest);
    const isWritten = digest !== undefined;
    const expectation = valueView(planned.value);
    return { file: file.shown, column, digest: planned.digest, lines: linesView(planned), expectation, isWritten };
  }

  private async subject(
    { evaluation, run, line, repeat }: ExpectationChange,
    metric: MetricSpec,
  ): Promise<{ readonly file: ShownFile; readonly answer: JsonValue }> {
    const { host, evaluations, held } = this.studio;
    const { data } = await evaluations.named(evaluation);
    if (data === undefined) throw new ProjectFailure(`${evaluation} has no data`, { code: 'NotPossible' });
    requireInside('data', data, host);
    const file = { file: resolve(host.folder, data), shown: data };
    const { reader } = await held.open(run);
    const row = await reader.row(line, repeat);
    if (row === undefined) throw new ProjectFailure(`run ${run} has no row ${line}`, { code: 'RowNotFound' });
    const opened = await openData(file.file);
    if (!opened.ok) throw new ProjectFailure(opened.message.replaceAll(file.file, data), { code: 'NotPossible' });
    const found = await joinData(opened.data.batches(), reader.info, false).columnsOf(row);
    if (!('missing' in found)) return { file, answer: judgedAnswer(row.outputs, metric) };
    throw new ProjectFailure(`row ${line} of the run asks something else than line ${line} of ${data} does now`, {
      code: 'Changed',
      help: `${found.missing}; flow eval runs the data as it is.`,
    });
  }
}

/** The column that a metric compares with; where it does not tell, `expected.NAME` of the output it judges. */
export function expectationColumn({ expected, on }: MetricSpec): string {
  const steps = expected?.from === 'column' ? expected.steps : [];
  const names = steps.flatMap((step) => (step.kind === 'key' ? [step.name] : []));
  const isColumn = names.length > 0 && names.length === steps.length;
  return isColumn ? names.join('.') : `expected.${on?.name ?? 'answer'}`;
}

function linesView({ lines }: PlannedChange): ExpectationChanged['lines'] {
  return lines.map(({ number, before, after }) => ({
    number,
    changes: wordChanges(before, after) ?? [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ],
  }));
}

async function columnValues(file: string, column: string): Promise<ReadonlyMap<number, JsonValue>> {
  const opened = await openData(file);
  const values = new Map<number, JsonValue>();
  if (!opened.ok) return values;
  const lines = new RowLines();
  for await (const row of opened.data.rows()) {
    const { line } = lines.add(row);
    const value = 'values' in row ? valueIn(row.values, column) : undefined;
    if (value !== undefined) values.set(line, value);
  }
  return values;
}
