import { eachOf, shownPath } from '@unroll/engine';
import { type EvalResult, type EvalSpec, judgeLabels, type MetricSpec } from '@unroll/evals';
import type { ProjectHost } from '../host/project-host.ts';
import { openRecord } from '../records/open-record.ts';
import { judgedAnswer } from './judged-answer.ts';
import { keyText, labelKey, labelPath, readLabels } from './label-file.ts';

/**
 * Judges the gates that ask how far a metric agrees with the labels beside the data.
 *
 * @param record the run's file
 * @param data of the evaluation, absolute; without it there are no labels
 * @throws ProjectFailure where a line of the file of labels is none
 */
export async function judgeLabelGates(
  result: EvalResult,
  { metrics }: Pick<EvalSpec, 'metrics'>,
  { record, data }: { readonly record: string; readonly data: string | undefined },
  host: ProjectHost,
): Promise<EvalResult> {
  const gated = metrics.filter(({ gate }) => gate?.agreement !== undefined);
  if (gated.length === 0) return result;
  const said = data === undefined ? new Map<string, Judgement>() : await judgements(gated, record, data, host);
  return judgeLabels(
    result,
    (metric, { line, repeat }) => said.get(`${metric} ${line}/${repeat}`),
    (name) => gated.find((metric) => metric.name === name)?.gate?.agreement,
    (name) => whichCount(name, data, host.folder),
  );
}

/** Where nobody labelled anything, it is to be known what would count. */
function whichCount(metric: string, data: string | undefined, folder: string): string {
  if (data === undefined) return 'labels are kept beside the data of the evaluation, which names none';
  return `those of "${metric}" in ${shownPath(labelPath(data), folder)} count, for the same inputs and answer`;
}

type Judgement = 'pass' | 'fail';

/** By `metric line/repeat`. */
async function judgements(
  metrics: readonly MetricSpec[],
  record: string,
  data: string,
  host: ProjectHost,
): Promise<ReadonlyMap<string, Judgement>> {
  const path = labelPath(data);
  const labels = readLabels(path, shownPath(path, host.folder));
  const said = new Map<string, Judgement>();
  if (labels.size === 0) return said;
  await using store = await openRecord(record, host);
  for await (const { line, repeat = 0, status, inputs, outputs } of eachOf(store.rows())) {
    if (status !== 'Completed') continue;
    for (const metric of metrics) {
      const key = labelKey(metric.name, inputs, judgedAnswer(outputs, metric));
      const judgement = labels.get(keyText(key))?.judgement;
      if (judgement === 'pass' || judgement === 'fail') said.set(`${metric.name} ${line}/${repeat}`, judgement);
    }
  }
  return said;
}
