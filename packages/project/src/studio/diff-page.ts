import type { JsonValue, RowId, RunInfo } from '@unroll/engine';
import { kindCounts, type NodeDiff, reasonText } from '@unroll/evals';
import type { MetricDiff } from '../diff/diff-report.ts';
import { metricDiffs } from '../diff/metric-diffs.ts';
import type { DiffNode, DiffPage, RunLine } from '../studio-contract/contract.ts';
import { summarizeValue } from '../words/index.ts';
import { diffCauses } from './diff-causes.ts';
import { diffGraph } from './diff-graph.ts';
import type { DiffGroups, ScoredSides } from './diff-groups.ts';
import { diffVerdict } from './diff-verdict.ts';
import type { HeldDiff } from './held-diffs.ts';
import type { HeldRun } from './held-run.ts';
import type { Language } from './lens.ts';
import { metricDifference } from './metric-difference.ts';

export interface DiffSubject {
  readonly left: HeldRun;
  readonly right: HeldRun;
  readonly lines: { readonly left: RunLine; readonly right: RunLine };
  readonly compared: HeldDiff;
  readonly groups: DiffGroups;
  readonly scored: ScoredSides | undefined;
  readonly evaluations: Pick<DiffPage, 'evaluation' | 'evaluations' | 'evaluationProblem'>;
  readonly language: Language;
}

/** Two runs as a page: what changed, what caused it, how far it got. */
export async function diffPage(subject: DiffSubject): Promise<DiffPage> {
  const { left, right, compared, groups, scored, lines, evaluations, language } = subject;
  const { diff, pairedBy, options, unpaired } = compared;
  const { paired, same, outputsDiffer, onlyLeft, onlyRight } = diff.rows;
  return {
    ...lines,
    verdict: diffVerdict(compared, { left: left.id, right: right.id, ...options }, scored?.right, language),
    ...{ options, pairedBy, paired, same, outputsDiffer },
    onlyLeft: { rows: onlyLeft, first: unpaired.left.map(placeView) },
    onlyRight: { rows: onlyRight, first: unpaired.right.map(placeView) },
    causes: await diffCauses(subject),
    graph: await diffGraph(compared, left.reader.info, right.reader.info),
    nodes: diff.nodes.map((node) => ({
      ...nodeView(node, leftNameOf(node, compared, left.reader.info)),
      why: reasonText(node, language),
    })),
    metrics: (scored?.right.metrics ?? []).flatMap((metric) => metricDifference(metric, language) ?? []),
    logged: metricDiffs(await left.reader.metrics(), await right.reader.metrics()).map(loggedView),
    ...evaluations,
    groups: groups.counted(),
  };
}

function loggedView({ name, left, right }: MetricDiff): DiffPage['logged'][number] {
  const side = (value: JsonValue | undefined): string => (value === undefined ? '–' : summarizeValue(value, 40));
  return { name, left: side(left), right: side(right) };
}

function placeView({ line, repeat }: RowId): DiffPage['onlyLeft']['first'][number] {
  return { line, repeat };
}

/** Of instances of a loop's node the name they have together. */
function leftNameOf({ name, instances, onlyIn }: NodeDiff, { leftName }: HeldDiff, left: RunInfo): string | undefined {
  const [first = name] = instances;
  const old = leftName(first);
  if (onlyIn !== undefined || old === first) return undefined;
  if (name === first) return old;
  return left.nodes.find((node) => node.name === old)?.family ?? old;
}

function nodeView(node: NodeDiff, leftName: string | undefined): Omit<DiffNode, 'why'> {
  const { name, kind, instances, same, changed, statusDiffers, failedLeft, failedRight, onlyIn } = node;
  return {
    ...{ name, kind, instances, same, changed, statusDiffers, failedLeft, failedRight },
    kinds: Object.fromEntries(kindCounts(node).map((one) => [one.kind, one.rows])),
    ...(onlyIn === undefined ? {} : { onlyIn }),
    ...(leftName === undefined ? {} : { leftName }),
  };
}
