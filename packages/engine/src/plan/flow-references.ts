// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { FlowSpec, NodeSpec, SpecPath } from '../flow/flow-spec.ts';
import { parseReference, type Reference } from '../flow/reference.ts';
import type { Span } from '../source/source-file.ts';

/** A reference as a node makes it. */
export interface NodeReference {
  readonly reference: Reference;
  readonly text: string;
  /** Name of the input; undefined for the condition of the node. */
  readonly input?: string;
  readonly span?: Span;
}

/** The references of a node: its inputs in their order, then its condition. */
export function nodeReferences(spec: FlowSpec, node: NodeSpec): readonly NodeReference[] {
  const inputs = Object.entries(node.inputs).flatMap(([input, value]) => {
    const reference = parseReference(value);
    if (reference === undefined) return [];
    return [{ reference, text: String(value), input, ...written(spec, node, ['inputs', input]) }];
  });
  const when = node.activate?.when ?? null;
  const condition = parseReference(when);
  if (condition === undefined) return inputs;
  return [...inputs, { reference: condition, text: String(when), ...written(spec, node, ['activate', 'when']) }];
}

/**
 * Where the author wrote it. What an iteration has for `${loop.state}`, and its condition, come from the `state` of the
 * loop.
 */
function written(spec: FlowSpec, node: NodeSpec, path: SpecPath): { readonly span?: Span } {
  const own = spec.locate([...node.path, ...path]);
  const isOwn = path[0] === 'inputs' && own !== undefined && !spanText(own).includes('${loop.state');
  const span = node.instance === undefined || isOwn ? own : (spec.locate([...node.path.slice(0, 2), 'state']) ?? own);
  return span === undefined ? {} : { span };
}

function spanText({ file, start, end }: Span): string {
  return file.text.slice(start, end);
}
