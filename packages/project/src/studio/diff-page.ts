import { kindCounts, type NodeDiff, reasonText } from '@unroll/evals';
import type { DiffNode, DiffPage, RunLine } from '../studio-contract/contract.ts';
import { diffCauses } from './diff-causes.ts';
import { diffGraph } from './diff-graph.ts';
import type { DiffGroups, ScoredSides } from './diff-groups.ts';
import { diffVerdict } from './diff-verdict.ts';
import type { HeldDiff } from './held-diffs.ts';
import type { HeldRun } from './held-run.ts';
import { metricDifference } from './metric-difference.ts';

export interface DiffSubject {
  readonly left: HeldRun;
  readonly right: HeldRun;
  readonly lines: { readonly left: RunLine; readonly right: RunLine };
  readonly compared: HeldDiff;
  readonly groups: DiffGroups;
  readonly scored: ScoredSides | undefined;
  readonly evaluations: Pick<DiffPage, 'evaluation' | 'evaluations' | 'evaluationProblem'>;
}

/** Two runs as a page: what changed, what caused it, how far it got. */
export async function diffPage(subject: DiffSubject): Promise<DiffPage> {
  const { left, right, compared, groups, scored, lines, evaluations } = subject;
  const { diff, pairedBy } = compared;
  const { paired, same, outputsDiffer, onlyLeft, onlyRight } = diff.rows;
  return {
    ...lines,
    verdict: diffVerdict(compared, { left: left.id, right: right.id }, scored?.right),
    ...{ pairedBy, paired, same, outputsDiffer, onlyLeft, onlyRight },
    causes: await diffCauses(compared, left, right),
    graph: await diffGraph(compared, right.reader.info),
    nodes: diff.nodes.map(nodeView),
    metrics: (scored?.right.metrics ?? []).flatMap((metric) => metricDifference(metric) ?? []),
    ...evaluations,
    groups: groups.counted(),
  };
}

function nodeView(node: NodeDiff): DiffNode {
  const { name, kind, instances, same, changed, statusDiffers, failedLeft, failedRight, onlyIn } = node;
  return {
    ...{ name, kind, instances, same, changed, statusDiffers, failedLeft, failedRight },
    kinds: Object.fromEntries(kindCounts(node).map((one) => [one.kind, one.rows])),
    why: reasonText(node),
    ...(onlyIn === undefined ? {} : { onlyIn }),
  };
}
