import { changedMeanwhile, type FingerprintInputs, unseenPart } from '../node/fingerprint-inputs.ts';
import type { NodeDefinition } from '../node/node-definition.ts';
import type { NodeOutcome, PreparedNode } from '../node/node-type.ts';
import type { EarlierRun } from '../record/earlier-run.ts';

/** Tells with each outcome of a node what its code has read so far. */
export function withReads(node: PreparedNode): PreparedNode {
  if (node.reads === undefined) return node;
  const reported = (outcome: NodeOutcome): NodeOutcome => {
    const reads = node.reads?.();
    return reads === undefined ? outcome : { ...outcome, report: { ...outcome.report, reads } };
  };
  return {
    ...node,
    run(inputs, call) {
      const outcome = node.run(inputs, call);
      return outcome instanceof Promise ? outcome.then(reported) : reported(outcome);
    },
  };
}

/**
 * The earlier run without the outputs of nodes whose code read what is not so any more, or what nobody can compare. Nodes
 * that are not told apart by their names are all looked at, since a node that was renamed takes its outputs.
 */
export async function unchangedSince(
  since: EarlierRun,
  node: PreparedNode,
  definition: Pick<NodeDefinition, 'name' | 'settings'>,
): Promise<EarlierRun> {
  const { readsNow } = node;
  if (readsNow === undefined) return since;
  const names = since.hasNode(definition.name) ? [definition.name] : Object.keys(since.nodeReads);
  const usable = new Set<string>();
  for (const name of names) {
    const earlier = since.nodeReads[name];
    if (earlier === undefined) continue;
    const seen = definition.settings['cache'] === true ? withoutUnseen(earlier) : earlier;
    if (changedParts(seen, await readsNow(seen)).length === 0) usable.add(name);
  }
  return {
    ...since,
    async find(fingerprint, place) {
      const record = await since.find(fingerprint, place);
      return record !== undefined && usable.has(record.node) ? record : undefined;
    },
  };
}

/** Of what the code of a node had read in an earlier attempt at this run, what is another thing now. */
export async function changedReads({ readsNow }: PreparedNode, earlier: FingerprintInputs): Promise<readonly string[]> {
  if (readsNow === undefined) return [];
  const comparable = Object.entries(withoutUnseen(earlier)).filter(([, value]) => value !== changedMeanwhile);
  const seen = Object.fromEntries(comparable);
  return changedParts(seen, await readsNow(seen));
}

function withoutUnseen(parts: FingerprintInputs): FingerprintInputs {
  return Object.fromEntries(Object.entries(parts).filter(([part]) => !part.startsWith(unseenPart)));
}

function changedParts(earlier: FingerprintInputs, now: FingerprintInputs): readonly string[] {
  return Object.entries(earlier).flatMap(([part, value]) => (now[part] === value ? [] : [part]));
}
