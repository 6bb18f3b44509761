import {
  expectedSentence,
  type FingerprintInputs,
  isMapping,
  type JsonValue,
  meantIssues,
  type RunNode,
  thrownText,
} from '@unroll/engine';
import * as z from 'zod';
import type { RunMade } from '../eval-result/eval-result.ts';
import type { Baseline, BaselineMetric } from './baseline.ts';

const text = z.string();

/** Members of a mapping by name. A record of zod's leaves out one that is called `__proto__`. */
function named<Schema extends z.ZodType>(schema: Schema) {
  const entries = (value: JsonValue): unknown => (isMapping(value) ? new Map(Object.entries(value)) : value);
  return z.preprocess((value) => entries(value as JsonValue), z.map(text, schema, 'must be a mapping'));
}

const metricSchema = z.strictObject({
  mean: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).optional(),
  scored: z.int().min(0),
  kind: z.enum(['pass', 'number']),
  better: z.enum(['higher', 'lower']),
  measured_by: text.optional(),
  scores: z.union([
    text.regex(/^[0-9-]*$/, 'must be a text of digits, - for a row without a score'),
    z.array(z.number().nullable()),
  ]),
});
const nodeSchema = z.strictObject({
  kind: text,
  loop: text.optional(),
  family: text.optional(),
  iteration: z.int().optional(),
  as: text.optional(),
  parts: z.record(text, text),
  reads: z.record(text, text).optional(),
});
const baselineSchema = z.strictObject({
  version: z.literal(1),
  evaluation: text,
  run: z.strictObject({ id: text, flow: text, started_at: z.iso.datetime() }),
  flow_digest: text.optional(),
  made_with: z.strictObject({ version: text, build: text }).optional(),
  data: z.strictObject({ path: text.optional(), digest: text }).optional(),
  rows: text.regex(/^(\d+(-\d+)?(,\d+(-\d+)?)*)?$/, 'must be ranges of rows such as 0-4,7'),
  keys: z.strictObject({ name: text, values: z.array(text) }).optional(),
  metrics: named(metricSchema),
  nodes: named(nodeSchema).optional(),
});

type BaselineFile = z.infer<typeof baselineSchema>;

export type ReadBaseline =
  | { readonly ok: true; readonly baseline: Baseline }
  | { readonly ok: false; readonly message: string };

/** Reads what `printBaseline` wrote. */
export function readBaseline(json: string): ReadBaseline {
  const marked = /^<{7} /m.exec(json);
  if (marked !== null) {
    const line = json.slice(0, marked.index).split('\n').length;
    return { ok: false, message: `two that were merged stand in it, from line ${line}` };
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { ok: false, message: thrownText(error) };
  }
  const parsed = baselineSchema.safeParse(value, { error: expectedSentence });
  if (!parsed.success) {
    const [issue] = parsed.error.issues.flatMap(meantIssues);
    return { ok: false, message: `${issue?.path.join('.') || 'the file'}: ${issue?.message}` };
  }
  const lines = readRanges(parsed.data.rows);
  if (lines === undefined) return { ok: false, message: `rows: must ascend, and be at most ${maxRows}` };
  const baseline = baselineFrom(parsed.data, lines);
  const { values } = baseline.keys ?? {};
  if (values !== undefined && values.length !== lines.length) {
    return { ok: false, message: `keys.values: ${values.length} keys of ${lines.length} rows` };
  }
  const wrong = baseline.metrics.find(({ scores }) => scores.length > 0 && scores.length !== lines.length);
  if (wrong === undefined) return { ok: true, baseline };
  const counts = `${wrong.scores.length} scores of ${lines.length} rows`;
  return { ok: false, message: `metrics.${wrong.name}.scores: ${counts}` };
}

function baselineFrom(file: BaselineFile, lines: readonly number[]): Baseline {
  const made = madeFrom(file);
  return {
    version: 1,
    name: file.evaluation,
    run: {
      id: file.run.id,
      flow: file.run.flow,
      startedAt: Date.parse(file.run.started_at),
      ...(made === undefined ? {} : { made }),
    },
    lines,
    ...(file.keys === undefined ? {} : { keys: file.keys }),
    metrics: Array.from(file.metrics, ([name, metric]) => metricFrom(name, metric)),
  };
}

function metricFrom(
  name: string,
  { interval, scores, measured_by: measuredBy, ...metric }: z.infer<typeof metricSchema>,
): BaselineMetric {
  return {
    name,
    ...metric,
    ...(measuredBy === undefined ? {} : { measuredBy }),
    ...(interval === undefined ? {} : { interval: { low: interval[0], high: interval[1] } }),
    scores: typeof scores === 'string' ? Array.from(scores, (one) => (one === '-' ? null : Number(one))) : scores,
  };
}

function madeFrom({ flow_digest: flowDigest, made_with: madeWith, data, nodes }: BaselineFile): RunMade | undefined {
  if (flowDigest === undefined || nodes === undefined) return undefined;
  return {
    flowDigest,
    ...(madeWith === undefined ? {} : { madeWith }),
    ...(data === undefined
      ? {}
      : { data: { digest: data.digest, ...(data.path === undefined ? {} : { path: data.path }) } }),
    nodes: Array.from(nodes, ([name, { kind, loop, family, iteration }]): RunNode => {
      const instance = {
        ...(loop === undefined ? {} : { loop }),
        ...(family === undefined ? {} : { family }),
        ...(iteration === undefined ? {} : { iteration }),
      };
      return { name, kind, ...instance };
    }),
    ...partsFrom(nodes),
  };
}

/** An instance of a loop's node has what is not told of it as the one it names. */
function partsFrom(nodes: NonNullable<BaselineFile['nodes']>): Pick<RunMade, 'nodeDefinitions' | 'nodeReads'> {
  const definitions = new Map<string, FingerprintInputs>();
  const seen = new Map<string, FingerprintInputs>();
  for (const [name, { as, parts, reads = seen.get(as ?? '') }] of nodes) {
    definitions.set(name, as === undefined ? parts : { ...definitions.get(as), ...parts });
    if (reads !== undefined) seen.set(name, reads);
  }
  const nodeDefinitions = Object.fromEntries(definitions);
  return seen.size === 0 ? { nodeDefinitions } : { nodeDefinitions, nodeReads: Object.fromEntries(seen) };
}

/** More than anybody evaluates: a range that is damaged may name more rows than any memory holds. */
const maxRows = 10_000_000;

/** @returns undefined where they do not ascend, or are too many */
function readRanges(written: string): readonly number[] | undefined {
  if (written === '') return [];
  const ranges = written.split(',').map((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return { from, count: to - from + 1 };
  });
  const ascend = ranges.every(({ from, count }, at) => {
    const before = ranges[at - 1];
    return count > 0 && (before === undefined || from >= before.from + before.count);
  });
  if (!ascend || ranges.reduce((total, { count }) => total + count, 0) > maxRows) return undefined;
  return ranges.flatMap(({ from, count }) => Array.from({ length: count }, (_, at) => from + at));
}
