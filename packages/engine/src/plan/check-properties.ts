import type { FlowSpec, SpecPath } from '../flow/flow-spec.ts';
import { parsePropertyPath, parseReference, readOtherwise } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { JsonValue } from '../value/json.ts';
import { type CheckedNode, shownName } from './checked-node.ts';

/** Properties asked of outputs that never have them, as a number has none, and those that are read otherwise than they are written. */
export function checkProperties(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  const byName = new Map<string, CheckedNode | undefined>();
  // Of two with one name nobody knows which is meant.
  for (const node of nodes) byName.set(node.spec.name, byName.has(node.spec.name) ? undefined : node);
  return writtenReferences(spec).flatMap(({ text, path }) => {
    const reference = parseReference(text);
    if (reference?.kind !== 'node' || reference.property === '') return [];
    const source = byName.get(reference.node);
    if (source === undefined) return [];
    const missing = missingProperty(source, reference.property);
    if (missing !== undefined) return [impossible(missing, spec, path)];
    const read = readOtherwise(reference.property);
    return read === undefined ? [] : [misread(reference.property, read, spec, path)];
  });
}

type Words = Required<Pick<Diagnostic, 'message' | 'help'>>;

/** Why no row has what a property path begins with; undefined where it may be there. */
function missingProperty(source: CheckedNode, property: string): Words | undefined {
  const [first] = parsePropertyPath(property);
  const { outputType: type = '', outputProperties: names } = source.inspection;
  if (first === undefined) return undefined;
  if (takesNone.has(type) || (hasItems.has(type) && first.kind !== 'index')) {
    const message = `node "${shownName(source)}" gives a ${type}, which has no property "${property}"`;
    return { message, help: type === 'list' ? oneItem : 'read the whole output, or take it apart in a code node' };
  }
  if (names === undefined || (first.kind !== 'index' && names.includes(first.name))) return undefined;
  const message = `the output of node "${shownName(source)}" has no property "${property}"`;
  const near = first.kind === 'index' ? undefined : didYouMean(first.name, names);
  return { message, help: near ?? `it may have ${names.join(', ')}` };
}

const takesNone: ReadonlySet<string> = new Set(['int', 'double', 'bool']);
const hasItems: ReadonlySet<string> = new Set(['string', 'list']);
const oneItem = 'its first item is `output.[0]`; or take it apart in a code node';

interface Written {
  readonly text: JsonValue;
  readonly path: SpecPath;
}

/** Every value that may be a reference: inputs and conditions of nodes, then outputs of the flow. */
function writtenReferences(spec: FlowSpec): readonly Written[] {
  const ofNodes = spec.nodes.flatMap((node) => [
    ...Object.entries(node.inputs).map(([name, text]) => ({ text, path: [...node.path, 'inputs', name] })),
    ...(node.activate === undefined ? [] : [{ text: node.activate.when, path: [...node.path, 'activate', 'when'] }]),
  ]);
  const ofOutputs = spec.outputs.map(({ name, reference }) => ({
    text: reference ?? null,
    path: ['outputs', name, 'reference'],
  }));
  return [...ofNodes, ...ofOutputs];
}

function impossible(words: Words, spec: FlowSpec, path: SpecPath): Diagnostic {
  return {
    severity: 'error',
    code: 'PROPERTY_IMPOSSIBLE',
    ...words,
    span: spec.locate(path, 'value'),
    allowsRun: true,
  };
}

const quotedKey = "a key that is no single word stands in single quotes: `['the key']`";

function misread(property: string, read: string, spec: FlowSpec, path: SpecPath): Diagnostic {
  return {
    severity: 'warning',
    code: 'PROPERTY_READ_OTHERWISE',
    message: `the property \`${property}\` is read as \`${read}\``,
    span: spec.locate(path, 'value'),
    help: /[^\p{L}\p{N}_.]/u.test(property)
      ? quotedKey
      : 'a point stands between a property and one within it, and nowhere else',
  };
}
