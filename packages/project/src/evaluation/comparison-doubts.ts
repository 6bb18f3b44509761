import { asksBaseline, type EvalResult, type EvalSpec, measureSentences } from '@unroll/evals';

/**
 * Why a comparison is not what the eval.yaml asks for, a sentence each.
 *
 * @param baselineOf name of the evaluation that the baseline is of; undefined where there is none
 * @param accept what writes a baseline
 */
export function comparisonDoubts(
  spec: EvalSpec,
  result: EvalResult,
  baselineOf: string | undefined,
  accept: string,
): readonly string[] {
  return [
    ...notHeld(spec, result, accept),
    ...notGuarded(spec, result, accept),
    ...notMeasured(result),
    ...otherEvaluation(result, baselineOf),
    ...otherMeasures(result, accept),
    ...unpaired(result),
    ...otherData(result),
    ...repeatedKeys(result),
  ];
}

function otherEvaluation({ name }: EvalResult, baselineOf: string | undefined): readonly string[] {
  if (baselineOf === undefined || baselineOf === name) return [];
  return [
    `the baseline is one of the evaluation ${baselineOf}, not of ${name}: metrics that bear the same name are compared`,
  ];
}

function otherMeasures(result: EvalResult, accept: string): readonly string[] {
  const { baseline } = result;
  const sentences = baseline === undefined ? [] : measureSentences(result, { before: baseline.id });
  return sentences.map((sentence) => `${sentence} ${accept}`);
}

function unpaired({ baseline, comparison, keys }: EvalResult): readonly string[] {
  if (baseline === undefined || comparison === undefined) return [];
  const { paired, pairedBy, onlyBefore, onlyAfter } = comparison;
  if (paired > 0 || onlyBefore === 0 || onlyAfter === 0) return [];
  const by = pairedBy === 'key' ? `the ${keys?.name ?? 'key'}` : 'the number';
  return [`nothing is compared: no row has ${by} of a row of ${baseline.id}`];
}

function notHeld(spec: EvalSpec, { baseline }: EvalResult, accept: string): readonly string[] {
  const held = spec.metrics.filter(({ gate }) => asksBaseline(gate)).map(({ name }) => name);
  if (baseline !== undefined || held.length === 0) return [];
  return [`no baseline was accepted yet, so that ${held.join(', ')} is held to none. ${accept}`];
}

/** A metric that is new or was renamed; one of another kind is told as that. */
function notGuarded(spec: EvalSpec, { comparison }: EvalResult, accept: string): readonly string[] {
  const { newMetrics = [], otherKinds = [] } = comparison ?? {};
  const unknown = spec.metrics
    .filter(({ name, gate }) => asksBaseline(gate) && newMetrics.includes(name))
    .map(({ name }) => name)
    .filter((name) => !otherKinds.includes(name));
  if (unknown.length === 0) return [];
  const held = unknown.length === 1 ? 'it is' : 'they are';
  return [`the baseline has no scores of ${unknown.join(', ')}, so that ${held} held to none. ${accept}`];
}

function notMeasured({ comparison }: EvalResult): readonly string[] {
  const { goneMetrics = [] } = comparison ?? {};
  if (goneMetrics.length === 0) return [];
  const are = goneMetrics.length === 1 ? 'is' : 'are';
  return [`the baseline guards ${goneMetrics.join(', ')}, which ${are} not measured any more`];
}

function otherData({ baseline, comparison }: EvalResult): readonly string[] {
  if (baseline === undefined || comparison?.dataChanged !== true || comparison.pairedBy === 'key') return [];
  return [
    `the data is another than that of ${baseline.id}, and rows are compared by their numbers, whatever stands in them. Name the column that tells them apart in eval.yaml: key`,
  ];
}

function repeatedKeys({ keys }: EvalResult): readonly string[] {
  if (keys === undefined) return [];
  const firsts = new Map<string, number>();
  const repeated: (readonly [first: number, line: number, value: string])[] = [];
  for (const [at, value] of keys.values.entries()) {
    const line = keys.lines[at] ?? 0;
    const first = firsts.get(value);
    if (first === undefined) firsts.set(value, line);
    else if (first !== line) repeated.push([first, line, value]);
  }
  const [one] = repeated;
  if (one === undefined) return [];
  const [first, line, value] = one;
  const more = repeated.length === 1 ? '' : `, and ${repeated.length - 1} more are as an earlier one`;
  return [
    `key: rows ${first} and ${line} both have the ${keys.name} ${value}${more}: of such rows only the first is compared`,
  ];
}
