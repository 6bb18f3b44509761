import type { DigestDamage } from './digest-damage.ts';
import { nodePair } from './node-pair.ts';
import { recordDigest } from './record-digest.ts';
import type { NodeAlignment, NodePair } from './run-comparison.ts';
import type { RunReader } from './run-reader.ts';

interface Sides<T> {
  readonly left: T;
  readonly right: T;
}

/** What a pair of nodes is called. */
export function nameOf({ left, right }: NodeAlignment): string {
  return right ?? left ?? '';
}

/** Nodes that run once over all rows keep their records with the first line. */
export async function aggregationPairs(
  aligned: readonly NodeAlignment[],
  { left, right }: Sides<RunReader>,
  damage: Sides<DigestDamage>,
): Promise<readonly NodePair[]> {
  const isOverRows = ({ info }: RunReader, name: string | undefined): boolean =>
    info.nodes.some((node) => node.name === name && node.aggregation === true);
  const recordsOf = async (side: 'left' | 'right') => {
    const runs = (await damage[side].orReported(() => ({ left, right })[side].nodes(0))) ?? [];
    return new Map(runs.map((run) => [run.node, recordDigest(run)]));
  };
  const found = aligned.filter((pair) => isOverRows(left, pair.left) || isOverRows(right, pair.right));
  const [lefts, rights] = found.length === 0 ? [] : [await recordsOf('left'), await recordsOf('right')];
  return found.map((pair) => {
    const [one, other] = [lefts?.get(pair.left ?? ''), rights?.get(pair.right ?? '')];
    const fingerprints = [one?.fingerprint, other?.fingerprint];
    return nodePair({
      node: nameOf(pair),
      left: one?.status,
      right: other?.status,
      outputDiffers: one?.outputHash !== other?.outputHash,
      inputsDiffer: one?.inputsHash !== other?.inputsHash,
      fingerprintDiffers: fingerprints.includes(undefined) ? undefined : one?.fingerprint !== other?.fingerprint,
    });
  });
}
