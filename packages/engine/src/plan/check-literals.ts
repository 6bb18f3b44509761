// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { FlowSpec, NodeSpec, SpecPath } from '../flow/flow-spec.ts';
import { parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonValue } from '../value/json.ts';

/** References that stand where nobody looks for them: inside a longer text, a list or a mapping. */
export function checkLiterals(spec: FlowSpec): readonly Diagnostic[] {
  const known = knownNames(spec);
  return spec.nodes.flatMap((node) =>
    Object.entries(node.inputs).flatMap(([name, value]) => {
      if (parseReference(value) !== undefined) return [];
      return textsIn(value, ['inputs', name]).flatMap(({ text, path }) => {
        const found = referencesIn(text).find((written) => isMeant(written, known));
        return found === undefined ? [] : [notLookedAt(spec, node, path, text, found)];
      });
    }),
  );
}

interface Text {
  readonly text: string;
  readonly path: SpecPath;
}

function textsIn(value: JsonValue, path: SpecPath): readonly Text[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((item, index) => textsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(member as JsonValue, [...path, key]));
}

function referencesIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{[^${}]+\}/g)].map(([written]) => written);
}

interface KnownNames {
  readonly inputs: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
}

function knownNames(spec: FlowSpec): KnownNames {
  const families = spec.nodes.flatMap(({ instance }) => (instance === undefined ? [] : [instance.family, 'loop']));
  return {
    inputs: new Set(spec.inputs.map(({ name }) => name)),
    nodes: new Set([...spec.nodes.map(({ name }) => name), ...families]),
  };
}

/** A bare `${name}` may be anything, in a shell or a script; with a section it is ours. */
function isMeant(written: string, known: KnownNames): boolean {
  const reference = parseReference(written);
  if (reference?.kind === 'flow-input') return known.inputs.has(reference.input);
  return reference !== undefined && written.includes('.') && known.nodes.has(reference.node);
}

function notLookedAt(spec: FlowSpec, node: NodeSpec, path: SpecPath, text: string, written: string): Diagnostic {
  const span = spec.locate([...node.path, ...path]) ?? spec.locate([...node.path, ...path.slice(0, 2)]);
  const place = text === written ? 'a list or mapping' : 'a longer text';
  return {
    severity: 'warning',
    code: 'FLOW_REFERENCE_IN_TEXT',
    message: `"${written}" stands inside ${place} and is given as it is written`,
    ...(span === undefined ? {} : { span }),
    help: 'a reference is the whole value of an input: give it an input of its own, and put them together in the node',
  };
}
