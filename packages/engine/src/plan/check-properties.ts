import type { FlowSpec, SpecPath } from '../flow/flow-spec.ts';
import { parseReference, readOtherwise } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonValue } from '../value/json.ts';
import { type CheckedNode, shownName } from './checked-node.ts';

/** Properties asked of outputs that have none, as a text or a number has none, and those that are read otherwise than they are written. */
export function checkProperties(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  const byName = new Map(nodes.map((node) => [node.spec.name, node]));
  return writtenReferences(spec).flatMap(({ text, path }) => {
    const reference = parseReference(text);
    if (reference?.kind !== 'node' || reference.property === '') return [];
    const source = byName.get(reference.node);
    if (source === undefined) return [];
    const type = source.inspection.outputType;
    if (type !== undefined && withoutProperties.has(type))
      return [impossible(source, type, reference.property, spec, path)];
    const read = readOtherwise(reference.property);
    return read === undefined ? [] : [misread(reference.property, read, spec, path)];
  });
}

const withoutProperties: ReadonlySet<string> = new Set(['string', 'int', 'double', 'bool']);

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

function impossible(source: CheckedNode, type: string, property: string, spec: FlowSpec, path: SpecPath): Diagnostic {
  return {
    severity: 'error',
    code: 'PROPERTY_IMPOSSIBLE',
    message: `node "${shownName(source)}" gives a ${type}, which has no property "${property}"`,
    span: spec.locate(path, 'value'),
    help: 'read the whole output, or take it apart in a code node',
    allowsRun: true,
  };
}

function misread(property: string, read: string, spec: FlowSpec, path: SpecPath): Diagnostic {
  return {
    severity: 'warning',
    code: 'PROPERTY_READ_OTHERWISE',
    message: `the property \`${property}\` is read as \`${read}\``,
    span: spec.locate(path, 'value'),
    help: "a key that is no single word stands in single quotes: `['the key']`",
  };
}
