import type { FlowSpec } from '../flow/flow-spec.ts';
import { isPromptyPath } from '../flow/read-prompty.ts';
import type { Parameter } from '../node/signature.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean, nearestName } from '../source/nearest-name.ts';
import { type CheckedNode, nodePlace, placeInNode, shownName } from './checked-node.ts';

/** Variables of a template that no input gives, placed in the template, inputs that it does not use, and images that it prints. */
export function checkTemplateInputs({ inputs, file }: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  const images = new Set(inputs.flatMap(({ name, type }) => (type === 'image' ? [name] : [])));
  return nodes
    .filter(({ inspection }) => inspection.fillsTemplate === true)
    .flatMap((node) => [...checkNode(node, isPromptyPath(file.path)), ...printedImages(node, images)]);
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

/** @param isWhole the file is this one node, of which its author knows nothing */
function checkNode(node: CheckedNode, isWhole: boolean): readonly Diagnostic[] {
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
    ...missing.map((parameter) => missingVariable(node, parameter, { given, unused, isWhole })),
    ...unused.filter((name) => !meant.has(name)).map((name) => unusedInput(node, name, known)),
  ];
}

function missingVariable(
  node: CheckedNode,
  parameter: Parameter,
  { given, unused, isWhole }: { given: readonly string[]; unused: readonly string[]; isWhole: boolean },
): Diagnostic {
  const { name, isNeeded = false } = parameter;
  const near = nearestName(name, unused);
  const unrendered = isNeeded ? ', without which it cannot be rendered' : '';
  return {
    severity: isNeeded ? 'error' : 'warning',
    code: 'TEMPLATE_VARIABLE_MISSING',
    message: isWhole
      ? `no input gives the variable "${name}"${unrendered}`
      : `no input of node "${shownName(node)}" gives the variable "${name}"${unrendered}`,
    span: parameter.span ?? nodePlace(node),
    help:
      didYouMean(name, near === undefined ? given : [near]) ??
      (isWhole ? `add "${name}" to the inputs` : `add "${name}" to the inputs of the node`),
    allowsRun: true,
    ...noteOf(node, near, isWhole),
  };
}

/** The input that was meant, else the node, where there are others. */
function noteOf(node: CheckedNode, near: string | undefined, isWhole: boolean): Pick<Diagnostic, 'notes'> {
  if (near !== undefined) {
    const message = `the input "${near}" is here, and the template does not use it`;
    return { notes: [{ message, span: placeInNode(node, ['inputs', near], 'key') }] };
  }
  return isWhole ? {} : { notes: [{ message: 'the node is here', span: nodePlace(node) }] };
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
