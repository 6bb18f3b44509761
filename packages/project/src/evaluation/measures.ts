import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type JsonValue, parseJson, valueHash } from '@unroll/engine';
import type { EvalResult, EvalSpec, MetricSpec } from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { openRecord } from '../records/open-record.ts';
import { madeFolder, runPath } from '../records/runs-folder.ts';

/** By metric, what stands for how it is measured: settings, the code of an evaluator that is a file, the nodes of a judge. */
export type Measures = ReadonlyMap<string, string>;

/** @param folder of the evaluation, absolute */
export async function measuresOf(
  { metrics }: Pick<EvalSpec, 'metrics'>,
  result: EvalResult,
  folder: string,
  host: ProjectHost,
): Promise<Measures> {
  const measures = new Map<string, string>();
  for (const metric of metrics) {
    const run = result.metrics.find(({ name }) => name === metric.name)?.judgedBy;
    const judge = run === undefined ? {} : await judgeParts(run, host);
    const code = fileDigest(resolve(folder, metric.evaluatorName));
    if (judge !== undefined) measures.set(metric.name, valueHash({ ...settingsOf(metric), code, judge }).slice(0, 16));
  }
  return measures;
}

function settingsOf({ evaluatorName, on, parameters, expected, reads }: MetricSpec): {
  readonly [key: string]: JsonValue;
} {
  // As accepted baselines have it, from when it was always written out.
  const ended = evaluatorName === 'finished_at' ? { until: 'finished' } : {};
  const settings = { evaluatorName, on, parameters: { ...ended, ...parameters }, expected, reads };
  const exact = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return parseJson(JSON.stringify(settings, exact)) as { readonly [key: string]: JsonValue };
}

/** Of its text, whatever its line ends are; null for an evaluator of ours. */
function fileDigest(path: string): string | null {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  return createHash('sha256').update(readFileSync(path, 'utf8').replaceAll('\r\n', '\n')).digest('hex');
}

/** Undefined where the run of the judge cannot be read. */
async function judgeParts(run: string, host: ProjectHost): Promise<JsonValue | undefined> {
  try {
    await using store = await openRecord(runPath(madeFolder(host.runsFolder), run), host);
    return store.info.nodeDefinitions ?? {};
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return undefined;
  }
}
