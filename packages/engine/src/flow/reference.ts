/** What a written value means: a literal, or a reference when the whole string is `${…}`. */
export type Reference =
  | { readonly kind: 'flow-input'; readonly input: string }
  | { readonly kind: 'node'; readonly node: string; readonly section: string; readonly property: string };

/**
 * Reads `${inputs.x}` and `${node.section.property}`; undefined for anything that is no reference.
 * The whole string must be the reference; inside the braces nothing is trimmed.
 */
export function parseReference(value: unknown): Reference | undefined {
  if (typeof value !== 'string' || value.length <= 2 || !value.startsWith('${') || !value.endsWith('}'))
    return undefined;
  const text = value.slice(2, -1);
  for (const prefix of ['inputs.', 'flow.']) {
    if (text.startsWith(prefix)) return { kind: 'flow-input', input: text.slice(prefix.length) };
  }
  const [node = '', section = 'output', ...rest] = text.split('.');
  return { kind: 'node', node, section, property: rest.join('.') };
}

/** Where a value comes from: an output of a node, or a property of it (empty: the whole). */
export interface OutputPlace {
  readonly node: string;
  readonly property: string;
}

/** Reads `${node.output.property}`; undefined for what is no output of a node. */
export function outputPlace(value: unknown): OutputPlace | undefined {
  const reference = parseReference(value);
  if (reference?.kind !== 'node' || reference.section !== 'output' || reference.node === '') return undefined;
  return { node: reference.node, property: reference.property };
}

/** Writes a reference to a node's output: `${node.output}` or `${node.output.property}`. */
export function outputReference(node: string, property = ''): string {
  return property === '' ? `\${${node}.output}` : `\${${node}.output.${property}}`;
}

/** What Python's `\w` is: letters and digits of every script. */
const pathSteps = /([\p{L}\p{N}_]+)|(\['.*?'\])|(\[\d+\])/gu;

/** Steps of a property path. Whatever lies between the matches is skipped: `a-b` reads as `a`, `b`. */
export function parsePropertyPath(property: string): readonly PathStep[] {
  return [...property.matchAll(pathSteps)].map(([text]) => {
    if (text.startsWith("['")) return { kind: 'key', name: text.slice(2, -2) };
    if (text.startsWith('[')) return { kind: 'index', index: Number(text.slice(1, -1)) };
    return { kind: 'word', name: text };
  });
}

/**
 * How a property path is read, where that is other than it is written: `["a b"]` is read as `a.b`, since a key that is no
 * word stands in single quotes; `a.` as `a`.
 */
export function readOtherwise(property: string): string | undefined {
  const written = property.replaceAll(/\["([\p{L}\p{N}_]+)"\]/gu, '.$1').replaceAll(pathSteps, '');
  const hasStrayPoint = /^\.|\.$|\.\./.test(property);
  if (/^\.*$/.test(written) && !hasStrayPoint) return undefined;
  const steps = parsePropertyPath(property).map((step) => {
    if (step.kind === 'word') return `.${step.name}`;
    return step.kind === 'key' ? `['${step.name}']` : `[${step.index}]`;
  });
  return steps.join('').replace(/^\./, '');
}

/** `word`: key of a mapping or attribute; `key`: `['k']`; `index`: `[0]`. */
export type PathStep =
  | { readonly kind: 'word'; readonly name: string }
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number };
