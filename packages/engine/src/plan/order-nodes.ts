/** An order in which nodes can run; `left` are those that never can, being on a cycle or behind one. */
export interface NodeOrder {
  readonly order: readonly number[];
  readonly left: readonly number[];
}

/**
 * Stable topological order: again and again the first node, in the order given, whose dependencies are all taken.
 *
 * @param dependencies indexes each node waits for, by index
 */
export function orderNodes(dependencies: readonly (readonly number[])[]): NodeOrder {
  const waitingFor = dependencies.map((sources) => new Set(sources).size);
  const dependents = dependentsOf(dependencies);
  const ready = [...waitingFor.keys()].filter((index) => waitingFor[index] === 0);
  const order: number[] = [];
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    order.push(next);
    for (const dependent of dependents[next] ?? []) {
      const left = (waitingFor[dependent] ?? 0) - 1;
      waitingFor[dependent] = left;
      if (left === 0) insertAscending(ready, dependent);
    }
  }
  const taken = new Set(order);
  return { order, left: [...dependencies.keys()].filter((index) => !taken.has(index)) };
}

/** Indexes of the nodes that wait for each node, ascending, each once. */
export function dependentsOf(dependencies: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const dependents: number[][] = dependencies.map(() => []);
  for (const [index, sources] of dependencies.entries()) {
    for (const source of new Set(sources)) dependents[source]?.push(index);
  }
  return dependents;
}

function insertAscending(sorted: number[], value: number): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, value);
}
