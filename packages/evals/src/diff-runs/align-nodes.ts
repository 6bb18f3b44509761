import type { NodeAlignment, RunInfo, RunNode } from '@unroll/engine';

/**
 * Which node of one run is which of the other: by name, after `renames` (old name to new; of a node or of a whole family
 * of a loop). In the order of the right run; nodes that only the left run has come before what followed them there.
 */
export function alignNodes(
  left: Pick<RunInfo, 'nodes'>,
  right: Pick<RunInfo, 'nodes'>,
  renames: ReadonlyMap<string, string> = new Map(),
): readonly NodeAlignment[] {
  const lefts = new Map(left.nodes.map((node) => [renamed(node, renames), node.name]));
  const rights = new Set(right.nodes.map(({ name }) => name));
  const aligned: NodeAlignment[] = right.nodes.map(({ name }) => {
    const partner = lefts.get(name);
    return { ...(partner === undefined ? {} : { left: partner }), right: name };
  });
  let place = 0;
  for (const [name, leftName] of lefts) {
    if (rights.has(name)) place = aligned.findIndex((pair) => pair.right === name) + 1;
    else aligned.splice(place++, 0, { left: leftName });
  }
  return aligned;
}

/** What a node of the left run is called in the right one. */
function renamed({ name, family, iteration }: RunNode, renames: ReadonlyMap<string, string>): string {
  const own = renames.get(name);
  if (own !== undefined) return own;
  const newFamily = family === undefined ? undefined : renames.get(family);
  return newFamily === undefined || !iteration ? name : `${newFamily}_${iteration}`;
}

/** Names that can be renamed: nodes and families. */
export function renamableNames(run: RunInfo): readonly string[] {
  return [...new Set(run.nodes.flatMap(({ name, family }) => (family === undefined ? [name] : [name, family])))];
}
