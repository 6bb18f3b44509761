import { allNodes } from '../flow/all-nodes.ts';
import type { FlowSpec, LoopSpec, NodeSpec, SpecPath } from '../flow/flow-spec.ts';
import { readVariant } from '../flow/read-node.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { VariantDetails } from '../source/diagnostic-details.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { JsonObject } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';
import { pythonStr } from '../value/python-text.ts';
import { isMapping } from '../value/shapes.ts';

export interface VariedFlow {
  readonly spec: FlowSpec;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Puts variants in the place of the nodes with `use_variants`: the default one of each, but for the node that `variant`
 * names. A variant replaces the whole node.
 *
 * @param variant `${node.variant}`; what stands after the first dot is the variant
 */
export function applyVariants(spec: FlowSpec, variant?: string): VariedFlow {
  const chosen = variant === undefined ? undefined : parseChoice(variant);
  // Where it is wrong, the default ones stand in: what they use is not told as unused.
  const isUnread = variant !== undefined && chosen === undefined;
  const wrongs = chosen === undefined ? [] : checkChoice(spec, chosen);
  const diagnostics: Diagnostic[] = isUnread ? [wrongFormat(variant)] : [...wrongs];
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
  return {
    severity: 'error',
    code: 'FLOW_VARIANT',
    message: `"${variant}" names no variant of a node`,
    help: 'write it as "node.variant", or as Prompt flow does, \'${node.variant}\' in single quotes',
    details: { kind: 'variant-format', variant },
  };
}

function checkChoice(spec: FlowSpec, { node, variant }: Choice): readonly Diagnostic[] {
  const names = allNodes(spec).map(({ name }) => name);
  if (!names.includes(node)) {
    const help = didYouMean(node, names);
    return [wrong(spec, ['nodes'], { kind: 'variant-node', node }, `there is no node "${node}"`, help)];
  }
  const ids = Object.keys(variantsOf(spec, node));
  if (ids.includes(variant)) return [];
  const message = `node "${node}" has no variant "${variant}"`;
  const details = { kind: 'variant-unknown', node, variant } as const;
  return [wrong(spec, ['node_variants', node], details, message, didYouMean(variant, ids) ?? thereAre(ids))];
}

function thereAre(ids: readonly string[]): string | undefined {
  return ids.length === 0 ? undefined : `there are ${ids.join(', ')}`;
}

function missingVariant(spec: FlowSpec, { name, path }: NodeSpec, id: string | undefined): Diagnostic {
  const entry = ownValue(spec.nodeVariants, name);
  const variants = variantsOf(spec, name);
  const variant = id === undefined || !Object.hasOwn(variants, id) ? undefined : variants[id];
  if (entry === null || isMapping(variant)) {
    const details = { kind: 'variants-incomplete', entry, variant } as const;
    return wrong(spec, ['node_variants', name], details, `the variants of node "${name}" are incomplete`);
  }
  if (entry === undefined) {
    const message = `node "${name}" has no entry under node_variants`;
    return wrong(spec, [...path, 'use_variants'], { kind: 'variants-absent', node: name }, message);
  }
  if (id === undefined) {
    const message = `the variants of node "${name}" have no default_variant_id`;
    return wrong(spec, ['node_variants', name], { kind: 'variants-without-default', node: name }, message);
  }
  return wrong(
    spec,
    ['node_variants', name, 'default_variant_id'],
    { kind: 'default-variant-unknown', node: name, variant: id },
    `node "${name}" has no variant "${id}"`,
    didYouMean(id, Object.keys(variants)) ?? thereAre(Object.keys(variants)),
  );
}

function wrong(spec: FlowSpec, path: SpecPath, details: VariantDetails, message: string, help?: string): Diagnostic {
  return {
    severity: 'error',
    code: 'FLOW_VARIANT',
    message,
    span: path.length < 3 ? spec.locate(path, 'key') : spec.locate(path),
    help,
    details,
  };
}

/** The id of the variant that a node has where none is chosen, as it is written. */
export function defaultVariant(spec: FlowSpec, node: string): string | undefined {
  const entry = spec.nodeVariants[node];
  const id = isMapping(entry) ? entry['default_variant_id'] : undefined;
  return id === undefined ? undefined : pythonStr(id);
}

function variantsOf(spec: FlowSpec, node: string): JsonObject {
  const entry = spec.nodeVariants[node];
  const variants = isMapping(entry) ? entry['variants'] : undefined;
  return isMapping(variants) ? variants : {};
}
