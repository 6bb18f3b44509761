import type { RunMade } from '../eval-result/eval-result.ts';
import type { Baseline, BaselineMetric } from './baseline.ts';

/**
 * The file of a baseline: JSON, always in the same order, a metric a line and a node a line, so that what a change of
 * it accepts is read off a diff. Scores that are digits are a text, `1` passed, `0` failed, `-` no score.
 */
export function stringifyBaseline({ name, run, lines, keys, metrics }: Baseline): string {
  const { made } = run;
  const members = [
    `"version": 1`,
    `"evaluation": ${JSON.stringify(name)}`,
    `"run": ${line({ id: run.id, flow: run.flow, started_at: new Date(run.startedAt).toISOString() })}`,
    ...(made === undefined ? [] : [`"flow_digest": ${JSON.stringify(made.flowDigest)}`]),
    ...(made?.madeWith === undefined
      ? []
      : [`"made_with": ${line({ version: made.madeWith.version, build: made.madeWith.build })}`]),
    ...(made?.data?.digest === undefined
      ? []
      : [`"data": ${line({ path: made.data.path, digest: made.data.digest })}`]),
    `"rows": ${JSON.stringify(printRanges(lines))}`,
    ...(keys === undefined ? [] : [`"keys": ${line({ name: keys.name, values: keys.values })}`]),
    `"metrics": ${block(metrics.map((metric) => [metric.name, line(metricJson(metric))]))}`,
    ...(made?.nodeDefinitions === undefined ? [] : [`"nodes": ${block(nodesJson(made))}`]),
  ];
  return `{\n${members.map((member) => `  ${member}`).join(',\n')}\n}\n`;
}

/** On one line, a space after each comma. */
function line(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(line).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${line(member)}`).join(', ')}}`;
}

function block(members: readonly (readonly [string, string])[]): string {
  if (members.length === 0) return '{}';
  return `{\n${members.map(([key, text]) => `    ${JSON.stringify(key)}: ${text}`).join(',\n')}\n  }`;
}

function metricJson({ kind, better, mean, interval, scored, scores }: BaselineMetric): object {
  return {
    mean: mean === null ? null : rounded(mean),
    ...(interval === undefined ? {} : { interval: [rounded(interval.low), rounded(interval.high)] }),
    scored,
    kind,
    better,
    scores: scores.every((score) => score === null || isDigit(score))
      ? scores.map((score) => score ?? '-').join('')
      : scores.map((score) => (score === null ? null : rounded(score))),
  };
}

function isDigit(score: number): boolean {
  return Number.isInteger(score) && score >= 0 && score <= 9;
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** A node a line; an instance of a loop's node tells what it has otherwise than the instance before it. */
function nodesJson({ nodes, nodeDefinitions = {} }: RunMade): readonly (readonly [string, string])[] {
  const last = new Map<string, { readonly name: string; readonly parts: Readonly<Record<string, string>> }>();
  return nodes.map(({ name, kind, loop, family, iteration }) => {
    const parts = nodeDefinitions[name] ?? {};
    const group = `${loop} ${family}`;
    const before = iteration ? last.get(group) : undefined;
    last.set(group, { name, parts });
    const isLike = before !== undefined && Object.keys(before.parts).every((part) => part in parts);
    const own = isLike ? Object.entries(parts).filter(([part, value]) => before.parts[part] !== value) : undefined;
    return [
      name,
      line({
        kind,
        loop,
        family,
        iteration,
        ...(own === undefined ? {} : { as: before?.name }),
        parts: own === undefined ? parts : Object.fromEntries(own),
      }),
    ] as const;
  });
}

/** `0-9,12,15-20`. */
function printRanges(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const one of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && one === last[1] + 1) last[1] = one;
    else ranges.push([one, one]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
