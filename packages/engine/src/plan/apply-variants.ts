import type { FlowSpec, LoopSpec, NodeSpec, SpecPath } from '../flow/flow-spec.ts';
import { type Refusal, variantsRefusal } from '../flow/original-shape.ts';
import { readVariant } from '../flow/read-node.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { pythonClass } from '../value/python-class.ts';
import { pythonStr } from '../value/python-text.ts';
import { isMapping } from '../value/shapes.ts';

export interface VariedFlow {
  readonly spec: FlowSpec;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Who puts variants in place: Prompt flow's command line, which refuses what is missing; the executor under it, which
 * leaves a node whose variant is missing as it stands; or nobody.
 */
export type VariantRule = 'command line' | 'executor' | 'none';

/**
 * Puts variants in the place of the nodes with `use_variants`: the default one of each, but for the node that `variant`
 * names. A variant replaces the whole node.
 *
 * @param variant `${node.variant}`; what stands after the first dot is the variant
 */
export function applyVariants(spec: FlowSpec, variant?: string, rule: VariantRule = 'command line'): VariedFlow {
  if (rule === 'none') {
    const bare = spec.nodes.filter(({ useVariants, type }) => useVariants && type === '');
    return { spec, diagnostics: bare.map((node) => withoutBody(spec, node)) };
  }
  return rule === 'executor' ? asExecutor(spec) : asCommandLine(spec, variant);
}

function asExecutor(spec: FlowSpec): VariedFlow {
  const refused = variantsRefusal(spec.nodeVariants);
  const diagnostics: Diagnostic[] =
    refused === undefined
      ? []
      : [told(spec, ['node_variants'], refused, 'the variants are not written as they are read')];
  const nodes = spec.nodes.map((node) => {
    if (!node.useVariants) return node;
    const id = defaultVariant(spec, node.name);
    const body = id === undefined ? undefined : readVariant(spec.nodeVariants, node.name, id);
    if (body !== undefined) return { ...body, name: node.name };
    if (node.type === '') diagnostics.push(withoutBody(spec, node));
    return node;
  });
  return { spec: { ...spec, nodes }, diagnostics };
}

function withoutBody(spec: FlowSpec, { name, path }: NodeSpec): Diagnostic {
  const message = `Tool load failed in '${name}': (UserErrorException) Node ${name} does not have source defined.`;
  const found = told(
    spec,
    path,
    { code: 'ResolveToolError', message },
    `node "${name}" has neither a variant nor a body`,
  );
  return { ...found, promptFlow: { code: 'ResolveToolError', message, node: name } };
}

function asCommandLine(spec: FlowSpec, variant: string | undefined): VariedFlow {
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
  const odd = oddEntry(spec.nodeVariants[name], id);
  if (odd !== undefined)
    return told(spec, ['node_variants', name], odd, `the variants of node "${name}" are incomplete`);
  const isListed = Object.hasOwn(spec.nodeVariants, name);
  return !isListed
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
}

/** What the command line raises for entries that are no mappings, or lack their node. */
function oddEntry(entry: JsonValue | undefined, id: string | undefined): Refusal | undefined {
  if (entry === null) return { code: 'TypeError', message: "argument of type 'NoneType' is not iterable" };
  const variants = isMapping(entry) ? entry['variants'] : undefined;
  const variant = isMapping(variants) && id !== undefined ? variants[id] : undefined;
  if (!isMapping(variant)) return undefined;
  return variant['node'] === undefined
    ? { code: 'InvalidFlowError', message: 'Failed to overwrite tuning node with variant' }
    : { code: 'TypeError', message: `'${pythonClass(variant['node'])}' object is not a mapping` };
}

function invalid(spec: FlowSpec, path: SpecPath, original: string, message: string, help?: string): Diagnostic {
  return { ...told(spec, path, { code: 'InvalidFlowError', message: original }, message), ...optionalHelp(help) };
}

function optionalHelp(help: string | undefined): Pick<Diagnostic, 'help'> {
  return help === undefined ? {} : { help };
}

function told(spec: FlowSpec, path: SpecPath, { code, message: original }: Refusal, message: string): Diagnostic {
  const span = path.length < 3 ? spec.locate(path, 'key') : spec.locate(path);
  const promptFlow = { code, message: original };
  return { severity: 'error', code: 'FLOW_VARIANT', message, ...(span === undefined ? {} : { span }), promptFlow };
}

function defaultVariant(spec: FlowSpec, node: string): string | undefined {
  const entry = spec.nodeVariants[node];
  const id = isMapping(entry) ? entry['default_variant_id'] : undefined;
  return id === undefined ? undefined : pythonStr(id);
}

function variantsOf(spec: FlowSpec, node: string): JsonObject {
  const entry = spec.nodeVariants[node];
  const variants = isMapping(entry) ? entry['variants'] : undefined;
  return isMapping(variants) ? variants : {};
}
