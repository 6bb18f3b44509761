import { type JsonObject, type PlanNode, placeOf, preventsRun, stringifyJson } from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import type { Edits } from '../studio-contract/contract.ts';
import { definitionText, withParameter } from './edit-parameter.ts';
import { type EditableText, editableText } from './editable-text.ts';
import { withLineEnds } from './line-ends.ts';
import { nodeOf, promptPath, type ReadFlow, readFlow } from './read-flow.ts';
import type { TriedRun } from './tried-run.ts';
import { writtenJson } from './written-json.ts';

/** A file as it is, and as it would be. */
export interface EditedFile extends EditableText {
  readonly edited: string;
}

/** A flow with what is edited of it, none of which stands in a file yet. */
export interface EditedFlow {
  readonly found: FoundFlow;
  /** As its files have it. */
  readonly before: ReadFlow;
  readonly after: ReadFlow;
  /** Those that differ. */
  readonly files: readonly EditedFile[];
  /** Inputs of the flow that are given another value. */
  readonly inputs: JsonObject;
  /** The node, those that are made of what is edited, and those that read an input that is. */
  readonly nodes: ReadonlySet<string>;
}

/** @throws ProjectFailure where the flow has no such node, or what is asked for cannot be edited */
export function editFlow(run: TriedRun, name: string, edits: Edits, host: ProjectHost): EditedFlow {
  const before = readFlow(run.found, run.settings, host);
  const node = requireNode(before, name);
  const files = new Map<string, EditedFile>();
  const own = promptPath(before, node);
  for (const [path, text] of Object.entries(edits.files ?? {})) {
    if (path !== own) throw new ProjectFailure(`${path} is no file of node "${name}"`, { code: 'NotEditable' });
    const file = requireEditable(editableText(path, run.found, before, host));
    // Half a sign has no bytes: what is shown is what would be written.
    const edited = withLineEnds(text.toWellFormed(), file.text);
    if (edited !== file.text) files.set(file.full, { ...file, edited });
  }
  const definition = editedDefinition(run, name, edits, before, host);
  if (definition !== undefined) files.set(definition.full, definition);
  const texts = new Map([...files].map(([full, { edited }]) => [full, edited]));
  const found = { ...run.found, edits: texts };
  const after = readFlow(found, run.settings, host);
  const inputs = givenInputs(edits);
  return {
    ...{ found, before, after, inputs },
    files: [...files.values()],
    nodes: new Set([name, ...changedNodes(before, after, files), ...readersOf(after, Object.keys(inputs))]),
  };
}

/** @throws ProjectFailure with the first mistake that keeps it from running */
export function requireRunnable({ after }: EditedFlow): void {
  const mistake = after.diagnostics.find(preventsRun);
  if (mistake === undefined && after.plan !== undefined) return;
  const { message = 'it has no order to run in', help, span } = mistake ?? {};
  const where = span === undefined ? '' : `${span.file.path}:${placeOf(span.file, span.start).line}: `;
  throw new ProjectFailure(`the flow cannot run: ${where}${message}`, { help, code: 'FlowNotReady' });
}

export function requireNode(read: ReadFlow, name: string): PlanNode {
  const node = nodeOf(read, name);
  if (node !== undefined) return node;
  const code = read.plan === undefined ? 'FlowNotReady' : 'NodeNotFound';
  throw new ProjectFailure(
    read.plan === undefined
      ? 'the flow has mistakes: flow check names them'
      : `the flow has no node "${name}" any more`,
    { code },
  );
}

function requireEditable(file: EditableText): EditableText {
  if (file.problem === undefined) return file;
  throw new ProjectFailure(`${file.path} cannot be edited here: ${file.problem}`, { code: 'NotEditable' });
}

/** The flow's own file with other parameters; undefined where it stays as it is. */
function editedDefinition(
  run: TriedRun,
  node: string,
  { parameters = {} }: Edits,
  before: ReadFlow,
  host: ProjectHost,
): EditedFile | undefined {
  const { plan } = before;
  if (plan === undefined || Object.keys(parameters).length === 0) return undefined;
  const file = requireEditable(editableText(run.found.file, run.found, before, host));
  let read = before;
  let edited = file.text;
  for (const [parameter, json] of Object.entries(parameters)) {
    const value = writtenJson(json, parameter);
    const now = nodeOf(read, node)?.definition.inputs[parameter];
    if (now?.kind === 'literal' && stringifyJson(now.value) === stringifyJson(value)) continue;
    const asEdited = (text: string): ReadFlow =>
      readFlow({ ...run.found, edits: new Map([[run.found.file, text]]) }, run.settings, host);
    edited = withParameter({ node, parameter, value }, read, asEdited);
    read = asEdited(edited);
  }
  return edited === file.text ? undefined : { ...file, edited };
}

function givenInputs({ inputs = {} }: Edits): JsonObject {
  return Object.fromEntries(Object.entries(inputs).map(([name, json]) => [name, writtenJson(json, name)]));
}

function changedNodes(before: ReadFlow, after: ReadFlow, files: ReadonlyMap<string, EditedFile>): readonly string[] {
  return (after.plan?.nodes ?? []).flatMap((node) => {
    const old = nodeOf(before, node.name);
    const path = promptPath(after, node);
    const isOfFile = path !== undefined && files.has(after.files.resolve(path) ?? '');
    return old === undefined || isOfFile || definitionText(old) !== definitionText(node) ? [node.name] : [];
  });
}

function readersOf({ plan }: ReadFlow, inputs: readonly string[]): readonly string[] {
  return (plan?.nodes ?? []).flatMap(({ name, inputs: bound, activate }) => {
    const bindings = [...bound.map(({ binding }) => binding), ...(activate === undefined ? [] : [activate.when])];
    return bindings.some((one) => one.kind === 'flow-input' && inputs.includes(one.input)) ? [name] : [];
  });
}
