import { type NodeRun, type Plan, type PlanLoop, type PlanNode, textOrJson } from '@unroll/engine';
import type { Arrow, Box, BoxStatus, Group, Picture } from '@unroll/project/graph';

export interface DrawOptions {
  /** Every iteration of a loop instead of one, with an arrow back. */
  readonly unfolded: boolean;
  readonly direction: 'down' | 'right';
  /** Records of one row, to colour by. */
  readonly records?: readonly NodeRun[];
}

/**
 * The picture of a plan. Inputs and outputs are pills; a loop is a box around its nodes.
 *
 *     folded:    state -> [ agent -> function ]×3 -> answer        with an arrow back from function to agent
 *     unfolded:  state -> [ [agent_1 -> function_1] -> [agent_2 -> function_2] … -> answer ]
 */
export function drawPlan(plan: Plan, options: DrawOptions): Picture {
  const drawn = options.unfolded ? plan.nodes : plan.nodes.filter(isShownFolded);
  const loops = plan.loops.filter(({ endNode }) => options.unfolded || drawn.some(({ id }) => id === endNode));
  const arrows = drawn.flatMap((node) => arrowsInto(node, plan, options));
  const boxes = [
    ...plan.inputs.map((input) => pill('input', input.name, input.type)),
    ...drawn.map((node) => nodeBox(node, plan, options)),
    ...plan.outputs.map((output) => pill('output', output.name, output.type)),
  ];
  return {
    title: plan.name,
    direction: options.direction,
    boxes,
    arrows: mergeArrows([
      ...arrows,
      ...(options.unfolded ? [] : loops.map((loop) => arrowBack(loop))),
      ...plan.outputs.flatMap((output) => arrowsToOutput(output, plan, options)),
    ]),
    groups: loops.flatMap((loop) => groupsOf(loop, plan, options)),
  };
}

function isShownFolded({ instance }: PlanNode): boolean {
  return instance === undefined || (instance.iteration <= 1 && (instance.outer?.iteration ?? 0) <= 1);
}

function pill(kind: 'input' | 'output', label: string, type: string): Box {
  return { id: `${kind}.${label}`, label, kind, type, aggregation: false };
}

function boxId(node: PlanNode, unfolded: boolean): string {
  const instance = node.instance;
  const isFolded = !unfolded && instance !== undefined && instance.iteration > 0;
  return isFolded ? `node.${instance.loop}.${instance.family}` : `node.${node.name}`;
}

function nodeBox(node: PlanNode, plan: Plan, { unfolded, records }: DrawOptions): Box {
  const instance = node.instance;
  const detail = detailOf(node);
  const status = records === undefined ? undefined : statusOf(node, plan, unfolded, records);
  return {
    id: boxId(node, unfolded),
    label: unfolded || instance === undefined || instance.iteration === 0 ? node.name : instance.family,
    kind: 'node',
    type: isLoopEnd(node, plan) ? 'loop' : node.definition.type,
    ...(detail === undefined ? {} : { detail }),
    ...(status === undefined ? {} : { status }),
    ...(instance === undefined ? {} : { group: groupId(instance.loop, unfolded ? instance.iteration : 0) }),
    aggregation: node.aggregation,
  };
}

function isLoopEnd(node: PlanNode, plan: Plan): boolean {
  return plan.loops.some((loop) => loop.endNode === node.id);
}

function detailOf(node: PlanNode): string | undefined {
  const { source, settings } = node.definition;
  if (node.instance?.iteration === 0 && source?.path === undefined) return undefined;
  const index = settings['index'];
  return source?.path ?? (typeof index === 'string' ? index : undefined);
}

function statusOf(node: PlanNode, plan: Plan, unfolded: boolean, records: readonly NodeRun[]): BoxStatus | undefined {
  const instance = node.instance;
  if (unfolded || instance === undefined || instance.iteration === 0) {
    return records.find((record) => record.node === node.name)?.status;
  }
  const family = new Set(
    plan.nodes
      .filter((other) => other.instance?.loop === instance.loop && other.instance.family === instance.family)
      .map((other) => other.name),
  );
  return worstOf(records.filter((record) => family.has(record.node)).map((record) => record.status));
}

function worstOf(statuses: readonly BoxStatus[]): BoxStatus | undefined {
  for (const status of ['Failed', 'Canceled', 'NotRun'] as const) if (statuses.includes(status)) return status;
  const isMixed = statuses.includes('Completed') && statuses.includes('Bypassed');
  return isMixed ? 'Stepped' : statuses[0];
}

function arrowsInto(node: PlanNode, plan: Plan, { unfolded }: DrawOptions): readonly Arrow[] {
  const to = boxId(node, unfolded);
  const data = node.inputs.flatMap(({ binding }): Arrow[] => {
    if (binding.kind === 'literal') return [];
    if (binding.kind === 'flow-input') return [{ from: `input.${binding.input}`, to, kind: 'data' }];
    return [{ from: sourceId(binding.node, node, plan, unfolded), to, kind: 'data' }];
  });
  const { activate } = node;
  if (activate === undefined || activate.when.kind === 'literal') return data;
  const when = activate.when;
  const from = when.kind === 'flow-input' ? `input.${when.input}` : sourceId(when.node, node, plan, unfolded);
  const what = when.kind === 'flow-input' ? when.input : when.pathText;
  const label = `if ${what === '' ? 'it' : what} = ${textOrJson(activate.is)}`;
  return [...data, { from, to, kind: 'condition', label }];
}

/** In a folded picture an end node hears from the last node of the group alone, not from every instance. */
function sourceId(id: number, reader: PlanNode, plan: Plan, unfolded: boolean): string {
  const source = plan.nodes[id];
  if (source === undefined) throw new Error(`bug: node ${reader.name} reads node ${id}, which the plan has not`);
  return boxId(source, unfolded);
}

function arrowsToOutput(output: Plan['outputs'][number], plan: Plan, { unfolded }: DrawOptions): readonly Arrow[] {
  const to = `output.${output.name}`;
  const { binding } = output;
  if (binding.kind === 'literal') return [];
  if (binding.kind === 'flow-input') return [{ from: `input.${binding.input}`, to, kind: 'data' }];
  const source = plan.nodes[binding.node];
  return source === undefined ? [] : [{ from: boxId(source, unfolded), to, kind: 'data' }];
}

function arrowBack(loop: PlanLoop): Arrow {
  const [first = ''] = loop.families;
  const last = loop.families.at(-1) ?? first;
  return {
    from: `node.${loop.name}.${last}`,
    to: `node.${loop.name}.${first}`,
    kind: 'again',
    label: `×${loop.times}`,
  };
}

function groupsOf(loop: PlanLoop, plan: Plan, { unfolded }: DrawOptions): readonly Group[] {
  const label = `${loop.name}: at most ${loop.times} times, until ${loop.until}`;
  const outer: Group = { id: groupId(loop.name, 0), label };
  if (!unfolded) return [outer];
  const iterations = new Set(
    plan.nodes
      .filter((node) => node.instance?.loop === loop.name && node.instance.iteration > 0)
      .map((node) => node.instance?.iteration ?? 0),
  );
  const inner = [...iterations].sort((left, right) => left - right);
  return [
    outer,
    ...inner.map(
      (iteration): Group => ({ id: groupId(loop.name, iteration), label: `${iteration}`, parent: outer.id }),
    ),
  ];
}

function groupId(loop: string, iteration: number): string {
  return iteration === 0 ? `loop.${loop}` : `loop.${loop}.${iteration}`;
}

/** One arrow from box to box: a condition beside data wins, and a box is not its own source. */
function mergeArrows(arrows: readonly Arrow[]): readonly Arrow[] {
  const merged = new Map<string, Arrow>();
  for (const arrow of arrows) {
    if (arrow.from === arrow.to && arrow.kind !== 'again') continue;
    const key = `${arrow.from}→${arrow.to}${arrow.kind === 'again' ? '↺' : ''}`;
    if (merged.get(key)?.kind !== 'condition') merged.set(key, arrow);
  }
  return [...merged.values()];
}
