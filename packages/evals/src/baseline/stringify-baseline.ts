import type { FingerprintInputs } from '@unroll/engine';
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

function metricJson({ kind, better, measuredBy, mean, interval, scored, scores }: BaselineMetric): object {
  return {
    mean: mean === null ? null : rounded(mean),
    ...(interval === undefined ? {} : { interval: [rounded(interval.low), rounded(interval.high)] }),
    scored,
    kind,
    better,
    measured_by: measuredBy,
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

interface WrittenNode {
  readonly name: string;
  readonly parts: FingerprintInputs;
  readonly reads: FingerprintInputs;
}

/** What another machine has, too: files of the flow and packages, no variables and no absolute paths. */
function sharedReads(reads: FingerprintInputs = {}): FingerprintInputs {
  return Object.fromEntries(
    Object.entries(reads).filter(([part]) => /^(?:code|reads|link|lists|package) (?![/\\~]|[A-Za-z]:)/.test(part)),
  );
}

/** A node a line; an instance of a loop's node tells what it has otherwise than the instance before it. */
function nodesJson({ nodes, nodeDefinitions = {}, nodeReads = {} }: RunMade): readonly (readonly [string, string])[] {
  const last = new Map<string, WrittenNode>();
  return nodes.map(({ name, kind, loop, family, iteration }) => {
    const group = `${loop} ${family}`;
    const before = iteration ? last.get(group) : undefined;
    const node = { name, parts: nodeDefinitions[name] ?? {}, reads: sharedReads(nodeReads[name]) };
    last.set(group, node);
    return [name, line({ kind, loop, family, iteration, ...otherThan(before, node) })] as const;
  });
}

function otherThan(before: WrittenNode | undefined, { parts, reads }: WrittenNode): object {
  const isLike = before !== undefined && Object.keys(before.parts).every((part) => part in parts);
  if (!isLike) return { parts, reads: line(reads) === '{}' ? undefined : reads };
  const own = Object.entries(parts).filter(([part, value]) => before.parts[part] !== value);
  const isReadAlike = line(reads) === line(before.reads);
  return { as: before.name, parts: Object.fromEntries(own), reads: isReadAlike ? undefined : reads };
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
