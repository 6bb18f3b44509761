import { didYouMean, type NodeRun, type RunInfo } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * The records a name means: of one node (`agent_2`), or of all instances of a family (`agent[*]`, or `agent` where no
 * node is called so).
 *
 * @throws ProjectFailure with the nearest name when there is none
 */
export function selectNodes(name: string, runs: readonly NodeRun[], info: RunInfo): readonly NodeRun[] {
  const exact = runs.filter((run) => run.node === name);
  if (exact.length > 0) return exact;
  const wanted = name.endsWith('[*]') ? name.slice(0, -3) : name;
  const members = new Set(info.nodes.filter(({ family }) => family === wanted).map((node) => node.name));
  const ofFamily = runs.filter((run) => members.has(run.node));
  if (ofFamily.length > 0) return ofFamily;
  const names = runs.map((run) => run.node);
  throw new ProjectFailure(`run ${info.id} has no node "${name}"`, {
    code: 'NodeNotFound',
    help: didYouMean(name, names) ?? `Its nodes: ${names.join(', ')}`,
  });
}
