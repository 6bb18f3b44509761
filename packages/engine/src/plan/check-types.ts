import type { FlowInputSpec, FlowSpec } from '../flow/flow-spec.ts';
import { isGiven } from '../node/node-definition.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { convertValue } from '../value/convert-value.ts';
import { type JsonValue, stringifyJson } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';
import { type CheckedNode, placeInNode, shownName } from './checked-node.ts';

/** Values in the flow file that cannot become the type they are for: literals of nodes, defaults of flow inputs. */
export function checkTypes(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return [...spec.inputs.flatMap((input) => checkDefault(spec, input)), ...nodes.flatMap(checkLiterals)];
}

function checkDefault(spec: FlowSpec, input: FlowInputSpec): readonly Diagnostic[] {
  const { name, type, default: value } = input;
  if (value === undefined || value === null || convertValue(value, type).ok) return [];
  return [
    {
      severity: 'warning',
      code: 'INPUT_DEFAULT_TYPE',
      message: `the default of input "${name}" does not fit its type ${type}`,
      span: spec.locate(['inputs', name, 'default'], 'value') ?? spec.locate(['inputs', name], 'key'),
      help: `rows that do not give it fail: ${wantedFor(type)}`,
      allowsRun: true,
    },
  ];
}

/** How the types of flows are called that stand for Python's. */
const pythonTypes: Readonly<Record<string, string>> = { float: 'double', str: 'string', dict: 'object' };

function checkLiterals(node: CheckedNode): readonly Diagnostic[] {
  return (node.inspection.parameters ?? []).flatMap(({ name, type }) => {
    const input = node.definition.inputs[name];
    if (type === undefined || input?.kind !== 'literal' || !isGiven(input)) return [];
    const wantedType = ownValue(pythonTypes, type) ?? type;
    if (convertValue(input.value, wantedType).ok) return [];
    return [wrongLiteral(node, name, input.value, wantedType)];
  });
}

function wrongLiteral(node: CheckedNode, name: string, value: JsonValue, type: string): Diagnostic {
  const own = node.spec.name;
  return {
    severity: 'error',
    code: 'NODE_INPUT_TYPE',
    message: `${shorten(stringifyJson(value))} does not fit the input "${name}" of node "${shownName(node)}", whose type is ${type}`,
    span: placeInNode(node, ['inputs', name]),
    help: wantedFor(type),
    unreadyNode: own,
    details: { kind: 'literal-type', node: own, input: name, value, type },
  };
}

const wanted: Readonly<Record<string, string>> = {
  int: 'write a whole number',
  double: 'write a number',
  number: 'write a number',
  bool: 'write true or false',
  list: 'write a list, or a string that holds a JSON array',
};

function wantedFor(type: string): string {
  return ownValue(wanted, type) ?? `write a value of type ${type}`;
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
