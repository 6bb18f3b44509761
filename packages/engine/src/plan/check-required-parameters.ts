import type { Parameter } from '../node/signature.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean, nearestName } from '../source/nearest-name.ts';
import { type CheckedNode, nodePlace, placeInNode, shownName } from './checked-node.ts';

/** Parameters that code requires and the node does not give, and inputs that its code does not take. */
export function checkRequiredParameters(nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return nodes.filter(({ inspection }) => inspection.fillsTemplate !== true).flatMap(checkNode);
}

function checkNode(node: CheckedNode): readonly Diagnostic[] {
  const { parameters, takesAnyInput } = node.inspection;
  if (parameters === undefined) return [];
  const given = givenInputs(node);
  const missing = parameters.filter(({ name, required }) => required && !given.includes(name));
  const unknown = takesAnyInput ? [] : given.filter((name) => !parameters.some((parameter) => parameter.name === name));
  // A misspelt argument is one mistake, told where it is written.
  const misspelt = new Set(unknown.map((name) => nearestOf(name, missing)));
  return [
    ...missing.filter(({ name }) => !misspelt.has(name)).map((parameter) => missingArgument(node, parameter)),
    ...unknown.map((name) => unknownArgument(node, name, missing, parameters)),
  ];
}

/** A literal null or "" is not handed to the code. */
function givenInputs(node: CheckedNode): readonly string[] {
  const { takesEmptyText = false } = node.inspection;
  return Object.entries(node.definition.inputs).flatMap(([name, input]) => {
    const isDropped = input.kind === 'literal' && (input.value === null || (!takesEmptyText && input.value === ''));
    return isDropped ? [] : [name];
  });
}

function missingArgument(node: CheckedNode, { name, span }: Parameter): Diagnostic {
  const isWritten = Object.hasOwn(node.definition.inputs, name);
  return {
    severity: node.inspection.toleratedInputs === 'unknown or missing' ? 'warning' : 'error',
    code: 'NODE_INPUT_MISSING',
    message: `node "${shownName(node)}" does not give "${name}", which its code requires`,
    span: isWritten ? placeInNode(node, ['inputs', name]) : nodePlace(node),
    help: isWritten
      ? `an empty text or null is not handed to the code: give "${name}" a value, or give the parameter a default`
      : `add "${name}" to the inputs of the node, or give the parameter a default`,
    allowsRun: true,
    ...(span === undefined ? {} : { notes: [{ message: 'the parameter is here', span }] }),
  };
}

function unknownArgument(
  node: CheckedNode,
  name: string,
  missing: readonly Parameter[],
  parameters: readonly Parameter[],
): Diagnostic {
  const names = parameters.map((parameter) => parameter.name);
  const near = nearestOf(name, missing) ?? nearestName(name, names);
  const taken = names.length === 0 ? 'it takes no inputs' : `it takes ${names.map((one) => `"${one}"`).join(', ')}`;
  return {
    severity: node.inspection.toleratedInputs === undefined ? 'error' : 'warning',
    code: 'NODE_INPUT_UNKNOWN',
    message: `the code of node "${shownName(node)}" takes no input "${name}"`,
    span: placeInNode(node, ['inputs', name], 'key'),
    help: near === undefined ? taken : (didYouMean(name, [near]) ?? taken),
    allowsRun: true,
  };
}

function nearestOf(name: string, parameters: readonly Parameter[]): string | undefined {
  return nearestName(
    name,
    parameters.map((parameter) => parameter.name),
  );
}
