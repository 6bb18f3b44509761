import type { FlowSpec } from '../flow/flow-spec.ts';
import type { Parameter } from '../node/signature.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean, nearestName } from '../source/nearest-name.ts';
import { type CheckedNode, nodePlace, placeInNode, shownName } from './checked-node.ts';

/** Variables of a template that no input gives, placed in the template, inputs that it does not use, and images that it prints. */
export function checkTemplateInputs({ inputs }: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  const images = new Set(inputs.flatMap(({ name, type }) => (type === 'image' ? [name] : [])));
  return nodes
    .filter(({ inspection }) => inspection.fillsTemplate === true)
    .flatMap((node) => [...checkNode(node), ...printedImages(node, images)]);
}

function printedImages(node: CheckedNode, images: ReadonlySet<string>): readonly Diagnostic[] {
  const { parameters = [], printsImages } = node.inspection;
  if (printsImages === undefined) return [];
  return parameters.flatMap(({ name }): readonly Diagnostic[] => {
    const input = node.definition.inputs[name];
    if (input?.kind !== 'flow-input' || !images.has(input.input)) return [];
    return [
      {
        severity: 'warning',
        code: 'NODE_INPUT_TYPE',
        message: `the template of node "${shownName(node)}" prints the image "${name}" as a text, and no model sees it`,
        span: placeInNode(node, ['inputs', name]),
        help: printsImages.help,
      },
    ];
  });
}

function checkNode(node: CheckedNode): readonly Diagnostic[] {
  const { parameters, hasUnreadTemplate = false } = node.inspection;
  if (parameters === undefined || hasUnreadTemplate) return [];
  const given = Object.keys(node.definition.inputs);
  const names = new Set(parameters.map(({ name }) => name));
  const known = [...names, ...(node.inspection.otherInputs ?? [])];
  const missing = parameters.filter(
    ({ name, required, isNeeded = false }) => (required || isNeeded) && !given.includes(name),
  );
  const unused = given.filter((name) => !names.has(name));
  // An input that was meant for a missing variable is told there, once.
  const meant = new Set(missing.map(({ name }) => nearestName(name, unused)));
  return [
    ...missing.map((parameter) => missingVariable(node, parameter, given, unused)),
    ...unused.filter((name) => !meant.has(name)).map((name) => unusedInput(node, name, known)),
  ];
}

function missingVariable(
  node: CheckedNode,
  parameter: Parameter,
  given: readonly string[],
  unused: readonly string[],
): Diagnostic {
  const { name, isNeeded = false } = parameter;
  const near = nearestName(name, unused);
  const notePlace = near === undefined ? nodePlace(node) : placeInNode(node, ['inputs', near], 'key');
  const note =
    near === undefined ? 'the node is here' : `the input "${near}" is here, and the template does not use it`;
  return {
    severity: isNeeded ? 'error' : 'warning',
    code: 'TEMPLATE_VARIABLE_MISSING',
    message: `no input of node "${shownName(node)}" gives the variable "${name}"${isNeeded ? ', without which it cannot be rendered' : ''}`,
    span: parameter.span ?? nodePlace(node),
    help: didYouMean(name, near === undefined ? given : [near]) ?? `add "${name}" to the inputs of the node`,
    allowsRun: true,
    notes: [{ message: note, span: notePlace }],
  };
}

function unusedInput(node: CheckedNode, name: string, variables: Iterable<string>): Diagnostic {
  return {
    severity: 'warning',
    code: 'TEMPLATE_INPUT_UNUSED',
    message: `the template of node "${shownName(node)}" does not use the input "${name}"`,
    span: placeInNode(node, ['inputs', name], 'key'),
    help: didYouMean(name, variables),
  };
}
