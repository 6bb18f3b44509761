import {
  endedLoop,
  type FlowInputSpec,
  type FlowOutputSpec,
  type FlowSpec,
  type NodeInstance,
  type NodeSpec,
} from '../flow/flow-spec.ts';
import { stringifyYaml } from '../flow/stringify-yaml.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { toFeedBackForm } from './feed-back-form.ts';
import { unrollFlow } from './unroll-flow.ts';

/**
 * A flow as a plain flow.dag.yaml: its loops laid out, each node with a comment that says which iteration it is. Reading
 * the text gives the same plan, but that nothing in it knows of loops.
 */
export function stringifyFlow(given: FlowSpec): string {
  const { spec } = unrollFlow(given);
  const comments = nodeComments(spec.nodes);
  return stringifyYaml(flowValue(spec), {
    comment: (path) => {
      const [section, index, ...rest] = path;
      if (section === 'nodes' && typeof index === 'number' && rest.length === 0) return comments[index];
      return undefined;
    },
    isInline: ([section, , key, ...rest]) =>
      section === 'nodes' && rest.length === 0 && (key === 'source' || key === 'activate' || key === 'retry'),
    anchor: (path) => anchorName(spec, path),
  });
}

/** The same as a value, for those who read JSON. */
export function expandedFlow(given: FlowSpec): JsonObject {
  return flowValue(unrollFlow(given).spec);
}

/** A value that comes again is called after the family it first stands in, and the key it stands under. */
function anchorName(spec: FlowSpec, [section, index, ...rest]: readonly (string | number)[]): string {
  const node = section === 'nodes' ? spec.nodes[Number(index)] : undefined;
  const key = rest.findLast((step) => typeof step === 'string' && step !== 'inputs') ?? String(section);
  return [node?.name.replace(/_\d+$/, ''), key]
    .filter((part) => part !== undefined)
    .join('_')
    .replaceAll(/\W/g, '_');
}

function nodeComments(nodes: readonly NodeSpec[]): readonly (string | undefined)[] {
  const times = new Map<string, number>();
  for (const { instance } of nodes) {
    if (instance !== undefined) {
      times.set(instance.loop, Math.max(times.get(instance.loop) ?? 0, instance.iteration));
    }
  }
  return nodes.map(({ instance, inputs }, index) => {
    if (instance === undefined) return undefined;
    const ended = endedLoop(instance);
    if (ended !== undefined) {
      return `${ended}: the result${inputs['budget'] === undefined ? '' : '; its budget is told here and kept by loops alone'}`;
    }
    const before = nodes[index - 1]?.instance;
    const isSame = before?.loop === instance.loop && before.iteration === instance.iteration && instance.iteration > 0;
    return isSame ? undefined : instanceComment(instance, times.get(instance.loop) ?? 0);
  });
}

function instanceComment({ loop, iteration }: NodeInstance, times: number): string {
  return iteration > 0 ? `${loop}: iteration ${iteration} of ${times}` : `${loop}: the bound is reached`;
}

function flowValue(spec: FlowSpec): JsonObject {
  const { $schema, ...otherKeys } = spec.otherKeys;
  const isVaried = spec.nodes.some((node) => node.useVariants);
  return present({
    $schema,
    id: spec.id,
    name: spec.name,
    display_name: spec.displayName,
    description: spec.description,
    type: spec.type,
    language: spec.language,
    message_format: spec.messageFormat === 'basic' ? undefined : spec.messageFormat,
    values_open_roles: spec.valuesOpenRoles ? undefined : false,
    inputs: Object.fromEntries(spec.inputs.map((input) => [input.name, inputValue(input)])),
    outputs: Object.fromEntries(spec.outputs.map((output) => [output.name, outputValue(output)])),
    nodes: spec.nodes.map((node) => nodeValue(toFeedBackForm(node))),
    node_variants: isVaried ? spec.nodeVariants : undefined,
    environment_variables: filled(spec.environmentVariables),
    additional_includes: spec.additionalIncludes.length === 0 ? undefined : spec.additionalIncludes,
    ...otherKeys,
  });
}

function inputValue(input: FlowInputSpec): JsonObject {
  return present({
    type: input.type,
    default: input.default,
    description: input.description,
    enum: input.enum,
    is_chat_input: input.isChatInput || undefined,
    is_chat_history: input.isChatHistory,
  });
}

function outputValue(output: FlowOutputSpec): JsonObject {
  return present({
    type: output.type,
    reference: output.reference,
    description: output.description,
    evaluation_only: output.evaluationOnly || undefined,
    is_chat_output: output.isChatOutput || undefined,
  });
}

function nodeValue(node: NodeSpec): JsonObject {
  return present({
    name: node.name,
    type: node.type === '' ? undefined : node.type,
    source: node.source === undefined ? undefined : present(node.source),
    connection: node.connection,
    api: node.api,
    ...node.settings,
    use_variants: node.useVariants || undefined,
    aggregation: node.aggregation || undefined,
    activate: node.activate === undefined ? undefined : { when: node.activate.when, is: node.activate.is },
    retry: node.retry === undefined ? undefined : present(node.retry),
    timeout: node.timeout,
    inputs: filled(node.inputs),
  });
}

function filled(values: JsonObject): JsonObject | undefined {
  return Object.keys(values).length === 0 ? undefined : values;
}

function present(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
