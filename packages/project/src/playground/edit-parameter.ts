import { type JsonValue, type PlanNode, stringifyJson, valueHash } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { nodeOf, type ReadFlow } from './read-flow.ts';

/**
 * The text of a flow's file with another value for a literal input of a node: all else of it stays, comments too.
 *
 * @param read the flow as a text of its file would have it
 * @throws ProjectFailure where the value is not written there alone, or is no number, text or truth value
 */
export function withParameter(
  { node: name, parameter, value }: { readonly node: string; readonly parameter: string; readonly value: JsonValue },
  before: ReadFlow,
  read: (text: string) => ReadFlow,
): string {
  const node = nodeOf(before, name);
  const span = node?.definition.locate(['inputs', parameter], 'value');
  const now = node?.definition.inputs[parameter];
  const isWritten = now?.kind === 'literal' && isPlain(now.value);
  if (node === undefined || span === undefined || !isWritten || !isPlain(value)) throw notEditable(name, parameter);
  const { text } = span.file;
  for (const written of spellings(value)) {
    const edited = text.slice(0, span.start) + written + text.slice(span.end);
    if (isMeant(before, read(edited), node, parameter, value)) return edited;
  }
  throw notEditable(name, parameter);
}

export function isPlain(value: JsonValue | undefined): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null || value instanceof Number);
}

/** As people write it, else as JSON, which YAML reads too. */
function spellings(value: JsonValue): readonly string[] {
  const json = stringifyJson(value);
  return typeof value === 'string' && /^[\p{L}\p{N}][\p{L}\p{N} ._/-]*$/u.test(value) ? [value, json] : [json];
}

/** The value is there, and no date of the same look, and every node that is written elsewhere is as it was. */
function isMeant(before: ReadFlow, after: ReadFlow, node: PlanNode, parameter: string, value: JsonValue): boolean {
  const edited = nodeOf(after, node.name)?.definition.inputs[parameter];
  if (edited?.kind !== 'literal' || !isPlain(edited.value)) return false;
  if (valueHash(edited.value) !== valueHash(value)) return false;
  const place = placeOf(node);
  const others = ({ plan }: ReadFlow): string =>
    (plan?.nodes ?? []).flatMap((one) => (placeOf(one) === place ? [] : definitionText(one))).join('\n');
  return others(before) === others(after);
}

function placeOf({ definition }: PlanNode): number | undefined {
  return definition.locate([])?.start;
}

/** What a node is: the same text for two that are the same. */
export function definitionText({ name, definition, inputs }: PlanNode): string {
  const { type, source, connection, api, settings } = definition;
  const bound = inputs.map((input) => ({ name: input.name, binding: input.binding }));
  return JSON.stringify({ name, type, source, connection, api, settings, bound }, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

function notEditable(node: string, parameter: string): ProjectFailure {
  return new ProjectFailure(`${parameter} of node "${node}" cannot be edited here`, {
    help: 'It is shared with another node, or is a list or a mapping: edit it in the file.',
    code: 'NotEditable',
  });
}
