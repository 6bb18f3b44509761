import { dependentsOf } from './order-nodes.ts';

/**
 * One shortest cycle of each knot of nodes that wait for each other, by the first node of the knot; none where there is
 * no cycle. `[0, 2]` says: 0 waits for 2, and 2 for 0.
 *
 * @param dependencies indexes each node waits for, by index
 */
export function findCycles(dependencies: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const dependents = dependentsOf(dependencies);
  const known = new Set<number>();
  const cycles: (readonly number[])[] = [];
  for (const start of dependencies.keys()) {
    if (known.has(start)) continue;
    const cycle = shortestCycle(start, dependencies);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    const after = reachable(start, dependencies);
    for (const index of reachable(start, dependents)) if (after.has(index)) known.add(index);
  }
  return cycles;
}

function shortestCycle(start: number, arrows: readonly (readonly number[])[]): readonly number[] | undefined {
  const cameFrom = new Map<number, number>();
  const open = [start];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const next of arrows[at] ?? []) {
      if (next === start) return pathTo(at, start, cameFrom);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      open.push(next);
    }
  }
  return undefined;
}

function pathTo(end: number, start: number, cameFrom: ReadonlyMap<number, number>): readonly number[] {
  const path = [end];
  for (let at = end; at !== start; ) {
    at = cameFrom.get(at) ?? start;
    path.push(at);
  }
  return path.reverse();
}

function reachable(start: number, arrows: readonly (readonly number[])[]): ReadonlySet<number> {
  const found = new Set<number>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of arrows[at] ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}
