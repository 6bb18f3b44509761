import type { NodePair, RowPair } from '@unroll/engine';
import type { Attribution, ChangeKind, ChangePath, PartChange } from './attribution.ts';
import type { GraphNode, RunGraph } from './run-graph.ts';

/** Whether a node ended otherwise or gave something else. */
export function differs({ left, right, outputDiffers }: NodePair): boolean {
  return left !== right || outputDiffers;
}

/**
 * Why each node of a row that differs does so, by name; nodes that gave the same are not in it, whatever became of what
 * they read (early cut-off).
 *
 *     agent_1 (template changed) -> function_1 -> agent_2        cause -> effect -> both
 */
export function attributeRow(row: RowPair, graph: RunGraph): ReadonlyMap<string, Attribution> {
  const differing = new Map(row.nodes.filter(differs).map((pair) => [pair.node, pair]));
  const attributions = new Map<string, Attribution>();
  const open = new Set<string>();
  const attribute = (pair: NodePair): Attribution => {
    const known = attributions.get(pair.node);
    if (known !== undefined) return known;
    open.add(pair.node);
    const node = nodeOf(graph, pair.node);
    const reads = node.reads.flatMap((name) => (open.has(name) ? [] : (differing.get(name) ?? [])));
    const inputs = node.readsInputs.filter((name) => row.inputs.includes(name));
    const ways = [...inputs.map(wayOfInput), ...reads.flatMap((read) => waysTo(read.node, attribute(read)))];
    const paths = shortestPaths(ways.map(({ from, steps }) => ({ from, steps: [...steps, pair.node] })));
    const isOnlyRowInputs = reads.length === 0 && inputs.length > 0;
    const attribution = attributionOf(pair, node, { paths, isOnlyRowInputs });
    open.delete(pair.node);
    attributions.set(pair.node, attribution);
    return attribution;
  };
  for (const pair of differing.values()) attribute(pair);
  return new Map([...differing.keys()].map((name) => [name, attributions.get(name) as Attribution]));
}

function nodeOf(graph: RunGraph, name: string): GraphNode {
  const node = graph.get(name);
  if (node === undefined) throw new Error(`bug: the graph of the runs has no node ${name}`);
  return node;
}

function wayOfInput(name: string): ChangePath {
  return { from: 'input', steps: [`inputs.${name}`] };
}

/** Ways from every origin to a node that differs: it is one itself unless it only handed on. */
function waysTo(name: string, { kind, paths }: Attribution): readonly ChangePath[] {
  if (kind === 'cause' || kind === 'both') return [{ from: 'cause', steps: [name] }, ...paths];
  if (kind === 'noise') return [{ from: 'noise', steps: [name] }];
  return paths.length === 0 ? [{ from: 'unknown', steps: [name] }] : paths;
}

/** Of the ways from one origin the shortest, the first of them. */
function shortestPaths(paths: readonly ChangePath[]): readonly ChangePath[] {
  const shortest = new Map<string, ChangePath>();
  for (const path of paths) {
    const origin = path.steps[0] ?? '';
    if ((shortest.get(origin)?.steps.length ?? Infinity) > path.steps.length) shortest.set(origin, path);
  }
  return [...shortest.values()];
}

interface Upstream {
  readonly paths: readonly ChangePath[];
  /** What differs before it is nothing but inputs of the row. */
  readonly isOnlyRowInputs: boolean;
}

function attributionOf(pair: NodePair, node: GraphNode, upstream: Upstream): Attribution {
  const { onlyIn, program } = node;
  if (onlyIn !== undefined)
    return { kind: 'cause', parts: [{ part: onlyIn === 'left' ? 'removed' : 'added' }], paths: [] };
  const changedParts = countingParts(pair, node);
  if (pair.fingerprintDiffers === false && changedParts?.length === 0) return withSameDefinition(program);
  const paths = isFed(pair, upstream) ? upstream.paths : [];
  const hasBoth = pair.left !== undefined && pair.right !== undefined;
  if (changedParts === undefined || !hasBoth) return { kind: 'unknown', parts: [], paths };
  const kind = kindOf(pair, paths, changedParts, upstream.isOnlyRowInputs);
  if (kind === 'noise') return withSameDefinition(program);
  const isOwn = kind === 'cause' || kind === 'both';
  return { kind, parts: isOwn ? partsOf(pair, changedParts, node) : [], paths };
}

/** What only the program that ran it can have changed, else nothing that is known. */
function withSameDefinition(program: PartChange | undefined): Attribution {
  return program === undefined
    ? { kind: 'noise', parts: [], paths: [] }
    : { kind: 'cause', parts: [program], paths: [] };
}

/** Where the fingerprint is the same, only what code read can have made a difference. */
function countingParts({ fingerprintDiffers }: NodePair, { changedParts, changedReads = [] }: GraphNode) {
  return fingerprintDiffers === false ? changedReads : changedParts;
}

/** Whether other inputs reached the node; where they are not recorded (it did not run), whether anything before it differs. */
function isFed({ inputsDiffer }: NodePair, { paths }: Upstream): boolean {
  return paths.length > 0 && inputsDiffer !== false;
}

function kindOf(
  pair: NodePair,
  paths: Attribution['paths'],
  changedParts: readonly PartChange[],
  isOnlyRowInputs: boolean,
): ChangeKind {
  const isFedOtherwise = paths.length > 0;
  if (changedParts.length > 0) return isFedOtherwise ? 'both' : 'cause';
  if (isFedOtherwise) return isOnlyRowInputs ? 'input' : 'effect';
  const isOtherwiseDefined = pair.inputsDiffer === true || pair.fingerprintDiffers === true;
  return isOtherwiseDefined ? 'cause' : 'noise';
}

/** A node that gets something else although nothing before it differs is bound otherwise. */
function partsOf(
  { inputsDiffer }: NodePair,
  changedParts: readonly PartChange[],
  { program, hasFallback }: Pick<GraphNode, 'program' | 'hasFallback'>,
): readonly PartChange[] {
  if (changedParts.length > 0) return changedParts;
  const part = { part: inputsDiffer === true ? 'inputs' : hasFallback === true ? 'answering' : 'environment' };
  return program === undefined ? [part] : [part, program];
}
