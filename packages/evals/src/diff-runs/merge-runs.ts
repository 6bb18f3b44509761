import type { NodeAlignment, RunInfo, RunNode } from '@unroll/engine';
import type { PartChange } from '../attribute-changes/attribution.ts';
import { programChange } from '../attribute-changes/program-change.ts';
import { readChanges } from '../attribute-changes/read-changes.ts';
import type { GraphNode, RunGraph } from '../attribute-changes/run-graph.ts';

export type DefinedNodes = Pick<RunInfo, 'nodes' | 'nodeDefinitions' | 'nodeReads' | 'madeWith'>;

/** The graph of both runs, its nodes in the order of `aligned`. */
export function mergeRuns(left: DefinedNodes, right: DefinedNodes, aligned: readonly NodeAlignment[]): RunGraph {
  const newNames = new Map(aligned.flatMap((pair) => (pair.left === undefined ? [] : [[pair.left, nameOf(pair)]])));
  const lefts = new Map(left.nodes.map((node) => [node.name, node]));
  const rights = new Map(right.nodes.map((node) => [node.name, node]));
  const program = programChange(left.madeWith, right.madeWith);
  return new Map(
    aligned.map((pair) => {
      const [one, other] = [lefts.get(pair.left ?? ''), rights.get(pair.right ?? '')];
      const was = left.nodeDefinitions?.[pair.left ?? ''];
      const is = right.nodeDefinitions?.[pair.right ?? ''];
      const changedParts = changedPartsOf(was, is, newNames);
      const changedReads = readChanges(left.nodeReads?.[pair.left ?? ''], right.nodeReads?.[pair.right ?? '']);
      const parts = changedParts === undefined ? undefined : [...changedParts, ...notIn(changedParts, changedReads)];
      const hasFallback = [was, is].some((parts) => parts !== undefined && firstFallback in parts);
      const changed = { changedParts: parts, changedReads, program, ...(hasFallback ? { hasFallback } : {}) };
      return [nameOf(pair), graphNode({ name: nameOf(pair), one, other, changed, newNames })];
    }),
  );
}

/** The part of a definition that names the connection which is asked second. */
const firstFallback = 'fallback 1';

/** A file that is a part of the definition may have been read, too. */
function notIn(known: readonly PartChange[], changed: readonly PartChange[]): readonly PartChange[] {
  return changed.filter(({ part }) => !known.some((one) => one.part === part));
}

function nameOf({ left, right }: NodeAlignment): string {
  return right ?? left ?? '';
}

interface Sides {
  readonly name: string;
  readonly one: RunNode | undefined;
  readonly other: RunNode | undefined;
  readonly changed: Pick<GraphNode, 'changedParts' | 'changedReads' | 'program' | 'hasFallback'>;
  /** Names of the left run's nodes in the right one. */
  readonly newNames: ReadonlyMap<string, string>;
}

function graphNode({ name, one, other, changed, newNames }: Sides): GraphNode {
  const node = other ?? one;
  if (node === undefined) throw new Error(`bug: node ${name} is in neither run`);
  const { kind, loop, family, iteration, aggregation = false } = node;
  const oldReads = (one?.reads ?? []).map((read) => newNames.get(read) ?? read);
  return {
    name,
    kind,
    ...(loop === undefined ? {} : { loop }),
    ...(family === undefined ? {} : { family }),
    ...(iteration === undefined ? {} : { iteration }),
    aggregation,
    ...(one === undefined ? { onlyIn: 'right' } : other === undefined ? { onlyIn: 'left' } : {}),
    reads: [...new Set([...(other?.reads ?? []), ...oldReads])],
    readsInputs: [...new Set([...(other?.readsInputs ?? []), ...(one?.readsInputs ?? [])])],
    ...changed,
  };
}

type Definition = Readonly<Record<string, string>> | undefined;

/** Parts of a node's definition that differ; undefined where a run does not tell them. */
function changedPartsOf(
  left: Definition,
  right: Definition,
  newNames: ReadonlyMap<string, string>,
): readonly PartChange[] | undefined {
  if (left === undefined || right === undefined) return undefined;
  const parts = new Set([...Object.keys(right), ...Object.keys(left)]);
  return [...parts].flatMap((part): readonly PartChange[] => {
    const [was, is] = [renamedReference(left[part], newNames), right[part]];
    return was === is ? [] : [{ part, ...valuesOf(was, is) }];
  });
}

/** A reference to a node by its name in the right run: a node that only changed its name is bound as before. */
function renamedReference(value: string | undefined, newNames: ReadonlyMap<string, string>): string | undefined {
  return value?.replace(/^\$\{([^.}]+)\./, (whole, node: string) =>
    newNames.has(node) ? `\${${newNames.get(node)}.` : whole,
  );
}

const digest = /^[0-9a-f]{32,64}$/;

function valuesOf(left: string | undefined, right: string | undefined): Omit<PartChange, 'part'> {
  if ([left, right].some((value) => value !== undefined && digest.test(value))) return {};
  return { ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) };
}
