import { createHash } from 'node:crypto';
import {
  type Binding,
  declaresNoOutputs,
  type FlowFiles,
  type Plan,
  placeOf,
  type RunInfo,
  type RunNode,
} from '@unroll/engine';

/**
 * What a record says of its run, so that it can be shown without its flow.
 *
 * @param digest of the flow, as `flowDigest` gives it
 */
export function runInfoOf(
  plan: Plan,
  digest: string,
  run: Pick<RunInfo, 'id' | 'flowPath' | 'startedAt' | 'options' | 'nodeDefinitions' | 'madeWith'>,
): RunInfo {
  const loops = plan.loops.map(({ name, times }) => [name, times] as const);
  return {
    id: run.id,
    flowPath: run.flowPath,
    flowName: plan.name,
    flowDigest: digest,
    startedAt: run.startedAt,
    nodes: plan.nodes.map((node) => ({ ...runNode(node, placeInFlow(node)), ...untilOf(node, plan) })),
    outputs: plan.outputs.map(({ name, binding }) => {
      const reads = binding.kind === 'node-output' ? { reads: binding.nodeName } : {};
      return { name, ...reads, ...(declaresNoOutputs(plan) ? { isWhole: true as const } : {}) };
    }),
    ...(run.nodeDefinitions === undefined ? {} : { nodeDefinitions: run.nodeDefinitions }),
    ...(run.madeWith === undefined ? {} : { madeWith: run.madeWith }),
    options: { ...run.options, ...(loops.length === 0 ? {} : { loops: Object.fromEntries(loops) }) },
  };
}

function runNode(node: Plan['nodes'][number], place: string | undefined): RunNode {
  const { name, definition, instance, aggregation } = node;
  return {
    name,
    kind: definition.type,
    ...(instance === undefined ? {} : { loop: instance.loop, family: instance.family, iteration: instance.iteration }),
    ...(aggregation ? { aggregation } : {}),
    ...readsOf(node),
    ...(place === undefined ? {} : { place }),
  };
}

function untilOf({ id }: Plan['nodes'][number], { loops }: Plan): Pick<RunNode, 'until'> {
  const { until = 'finished' } = loops.find(({ endNode }) => endNode === id) ?? {};
  return until === 'finished' ? {} : { until };
}

function readsOf({ inputs, activate }: Plan['nodes'][number]): Pick<RunNode, 'reads' | 'readsInputs'> {
  const bindings: readonly Binding[] = [
    ...inputs.map(({ binding }) => binding),
    ...(activate === undefined ? [] : [activate.when]),
  ];
  const reads = bindings.flatMap((binding) => (binding.kind === 'node-output' ? [binding.nodeName] : []));
  const readsInputs = bindings.flatMap((binding) => (binding.kind === 'flow-input' ? [binding.input] : []));
  return { reads: [...new Set(reads)], readsInputs: [...new Set(readsInputs)] };
}

/** SHA-256 of the flow file and, by path, of the files its nodes name, whatever their line ends are. */
export function flowDigest(plan: Plan, files: FlowFiles): string {
  const named = new Set(plan.nodes.flatMap(({ definition }) => definition.source?.path ?? []));
  const hash = createHash('sha256').update(unixLines(plan.file.text));
  for (const path of [...named].sort()) hash.update(`\0${path}\0${unixLines(files.read(path)?.text ?? '')}`);
  return hash.digest('hex');
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** `flow.dag.yaml:12` of the node's name; undefined where it is not written. */
export function nodePlace(plan: Plan, node: string): string | undefined {
  const named = plan.nodes.find(({ name }) => name === node);
  return named === undefined ? undefined : placeInFlow(named);
}

function placeInFlow({ definition }: Plan['nodes'][number]): string | undefined {
  const span = definition.locate(['name'], 'value');
  return span === undefined ? undefined : `${span.file.path}:${placeOf(span.file, span.start).line}`;
}
