import {
  type Diagnostic,
  defaultVariant,
  type FlowSpec,
  type NodeSpec,
  readVariant,
  type VariedFlow,
} from '@unroll/engine';
import { variantsRefusal } from '../errors/reading-refusal.ts';

/**
 * Puts variants in place as Prompt flow's executor does, under its command line: a node whose variant is missing stays as it
 * stands, and keeps its name where there is one.
 */
export function executorVariants(spec: FlowSpec): VariedFlow {
  const nodes = spec.nodes.map((node) => {
    if (!node.useVariants) return node;
    const id = defaultVariant(spec, node.name);
    const body = id === undefined ? undefined : readVariant(spec.nodeVariants, node.name, id);
    return body === undefined ? node : { ...body, name: node.name };
  });
  const isRefused = variantsRefusal(spec.nodeVariants) !== undefined;
  return {
    spec: { ...spec, nodes },
    diagnostics: [...(isRefused ? [unreadable(spec)] : []), ...withoutBody(spec, nodes)],
  };
}

/** Variants of a node that runs alone: nobody puts them in place there. */
export function unvaried(spec: FlowSpec): VariedFlow {
  return { spec, diagnostics: withoutBody(spec, spec.nodes) };
}

function withoutBody(spec: FlowSpec, nodes: readonly NodeSpec[]): readonly Diagnostic[] {
  return nodes
    .filter(({ useVariants, type }) => useVariants && type === '')
    .map(({ name, path }) => ({
      severity: 'error',
      code: 'FLOW_VARIANT',
      message: `node "${name}" has neither a variant nor a body`,
      span: spec.locate(path, 'key'),
      unreadyNode: name,
      details: { kind: 'node-without-source', node: name },
    }));
}

function unreadable(spec: FlowSpec): Diagnostic {
  return {
    severity: 'error',
    code: 'FLOW_VARIANT',
    message: 'the variants are not written as they are read',
    span: spec.locate(['node_variants'], 'key'),
    details: { kind: 'variants-unreadable', variants: spec.nodeVariants },
  };
}
