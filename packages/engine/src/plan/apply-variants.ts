import type { FlowSpec, LoopSpec, NodeSpec, SpecPath } from '../flow/flow-spec.ts';
import { readVariant } from '../flow/read-node.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { Values } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';

export interface VariedFlow {
  readonly spec: FlowSpec;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Puts variants in the place of the nodes with `use_variants`: the default one of each, but for the node that `variant`
 * names. A variant replaces the whole node. A node whose variant does not exist stays as it stands.
 *
 * @param variant `${node.variant}`; what stands after the first dot is the variant
 */
export function applyVariants(spec: FlowSpec, variant?: string): VariedFlow {
  const chosen = variant === undefined ? undefined : parseChoice(variant);
  if (variant !== undefined && chosen === undefined) return { spec, diagnostics: [wrongFormat(variant)] };
  const diagnostics: Diagnostic[] = chosen === undefined ? [] : [...checkChoice(spec, chosen)];
  const isChoiceWrong = diagnostics.length > 0;
  const vary = (node: NodeSpec): NodeSpec => {
    if (!node.useVariants) return node;
    const id = !isChoiceWrong && chosen?.node === node.name ? chosen.variant : defaultVariant(spec, node.name);
    const body = id === undefined ? undefined : readVariant(spec.nodeVariants, node.name, id);
    if (body === undefined) diagnostics.push(missingVariant(spec, node, id));
    return body ?? node;
  };
  const varyLoop = (loop: LoopSpec): LoopSpec => ({
    ...loop,
    nodes: loop.nodes.map(vary),
    ...(loop.finalize === undefined ? {} : { finalize: vary(loop.finalize) }),
  });
  return { spec: { ...spec, nodes: spec.nodes.map(vary), loops: spec.loops.map(varyLoop) }, diagnostics };
}

interface Choice {
  readonly node: string;
  readonly variant: string;
}

function parseChoice(text: string): Choice | undefined {
  const [, node, variant] = /^\$\{([^.{}]+)\.([^{}]+)\}$/.exec(text) ?? [];
  return node === undefined || variant === undefined ? undefined : { node, variant };
}

function wrongFormat(variant: string): Diagnostic {
  const message = `Invalid variant format: ${variant}, variant should be in format of \${TUNING_NODE.VARIANT}`;
  return {
    severity: 'error',
    code: 'FLOW_VARIANT',
    message: `"${variant}" names no variant of a node`,
    help: 'write it as "node.variant", or as Prompt flow does, \'${node.variant}\' in single quotes',
    promptFlow: { code: 'UserErrorException', message },
  };
}

function checkChoice(spec: FlowSpec, { node, variant }: Choice): readonly Diagnostic[] {
  const names = allNodes(spec).map(({ name }) => name);
  if (!names.includes(node)) {
    const help = didYouMean(node, names);
    return [invalid(spec, ['nodes'], `Node ${node} not found in flow`, `there is no node "${node}"`, help)];
  }
  const ids = Object.keys(variantsOf(spec, node));
  if (ids.includes(variant)) return [];
  const message = `node "${node}" has no variant "${variant}"`;
  const original = `Variant ${variant} not found for node ${node}`;
  return [invalid(spec, ['node_variants', node], original, message, didYouMean(variant, ids))];
}

function allNodes(spec: FlowSpec): readonly NodeSpec[] {
  return [...spec.nodes, ...spec.loops.flatMap((loop) => [...loop.nodes, ...(loop.finalize ? [loop.finalize] : [])])];
}

function missingVariant(spec: FlowSpec, node: NodeSpec, id: string | undefined): Diagnostic {
  const { name, path } = node;
  const place = [...path, 'use_variants'];
  const isListed = Object.hasOwn(spec.nodeVariants, name);
  const found = !isListed
    ? invalid(spec, place, `No variant for the node ${name}.`, `node "${name}" has no entry under node_variants`)
    : id === undefined
      ? invalid(
          spec,
          ['node_variants', name],
          `Default variant id is not specified for ${name}.`,
          `the variants of node "${name}" have no default_variant_id`,
        )
      : invalid(
          spec,
          ['node_variants', name, 'default_variant_id'],
          `Cannot find the variant ${id} for ${name}.`,
          `node "${name}" has no variant "${id}"`,
          didYouMean(id, Object.keys(variantsOf(spec, name))),
        );
  // The engine under Prompt flow's command line runs the entry as it stands, where it is a whole node.
  return node.type === '' ? found : { ...found, allowsRun: true };
}

function invalid(spec: FlowSpec, path: SpecPath, original: string, message: string, help?: string): Diagnostic {
  const span = path.length < 3 ? spec.locate(path, 'key') : spec.locate(path);
  return {
    severity: 'error',
    code: 'FLOW_VARIANT',
    message,
    ...(span === undefined ? {} : { span }),
    ...(help === undefined ? {} : { help }),
    promptFlow: { code: 'InvalidFlowError', message: original },
  };
}

function defaultVariant(spec: FlowSpec, node: string): string | undefined {
  const entry = spec.nodeVariants[node];
  const id = isMapping(entry) ? entry['default_variant_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function variantsOf(spec: FlowSpec, node: string): Values {
  const entry = spec.nodeVariants[node];
  const variants = isMapping(entry) ? entry['variants'] : undefined;
  return isMapping(variants) ? variants : {};
}
