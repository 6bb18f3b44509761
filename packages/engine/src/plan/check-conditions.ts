import type { FlowInputSpec, FlowSpec } from '../flow/flow-spec.ts';
import { parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { Float } from '../value/float.ts';
import { type JsonValue, stringifyJson } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';
import { pythonEquals } from '../value/python-equality.ts';
import { type CheckedNode, placeInNode, shownName } from './checked-node.ts';

/** Conditions that can never hold, because of the type of what they look at: the node would always be bypassed. */
export function checkConditions(spec: FlowSpec, nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return nodes.flatMap((node) => {
    const seen = seenBy(node, spec, nodes);
    if (node.spec.activate === undefined || seen === undefined || seen.canEqual(node.spec.activate.is)) return [];
    return [neverHolds(node, node.spec.activate.is, seen)];
  });
}

/** Whether the condition of a node can never hold. */
export function isNeverActivated(node: CheckedNode, spec: FlowSpec, nodes: readonly CheckedNode[]): boolean {
  if (node.spec.activate === undefined) return false;
  return seenBy(node, spec, nodes)?.canEqual(node.spec.activate.is) === false;
}

interface Seen {
  /** As in `the input "flag" is a bool`. */
  readonly text: string;
  readonly type?: string;
  canEqual(is: JsonValue): boolean;
}

/** What the condition looks at; undefined where nothing is known of it. */
function seenBy(node: CheckedNode, spec: FlowSpec, nodes: readonly CheckedNode[]): Seen | undefined {
  const when = node.spec.activate?.when ?? null;
  const reference = parseReference(when);
  if (reference === undefined) {
    return { text: `"when" is always ${stringifyJson(when)}`, canEqual: (is) => pythonEquals(when, is) };
  }
  if (reference.kind === 'flow-input') {
    // An aggregation node gets the values of all rows.
    const type = node.definition.aggregation ? 'list' : inputType(spec, reference.input);
    return typed(`the input "${reference.input}"`, type);
  }
  const source = nodes.find((candidate) => candidate.spec.name === reference.node);
  if (source === undefined || reference.property !== '') return undefined;
  return typed(`the output of node "${shownName(source)}"`, source.inspection.outputType);
}

function inputType(spec: FlowSpec, name: string): string | undefined {
  return spec.inputs.find((input: FlowInputSpec) => input.name === name)?.type;
}

function typed(what: string, type: string | undefined): Seen | undefined {
  const test = type === undefined ? undefined : equalTests[type];
  if (type === undefined || test === undefined) return undefined;
  return { text: `${what} is ${article(type)} ${type}`, type, canEqual: test };
}

const equalTests: Readonly<Record<string, (is: JsonValue) => boolean>> = {
  bool: (is) => pythonEquals(is, true) || pythonEquals(is, false),
  int: (is) => isNumber(is) && Number.isInteger(Number(is)),
  double: isNumber,
  string: (is) => typeof is === 'string',
  list: (is) => Array.isArray(is),
};

/** As in Python, where `True == 1`. */
function isNumber(is: JsonValue): boolean {
  return ['number', 'bigint', 'boolean'].includes(typeof is) || is instanceof Float;
}

function neverHolds(node: CheckedNode, is: JsonValue, { text, type }: Seen): Diagnostic {
  const isQuoted = typeof is === 'string' && type !== undefined && ownValue(equalTests, type)?.(unquoted(is)) === true;
  return {
    severity: 'warning',
    code: 'CONDITION_NEVER_TRUE',
    message: `node "${shownName(node)}" never runs: ${text}, which never equals ${stringifyJson(is)}`,
    span: placeInNode(node, ['activate', 'is']),
    help: isQuoted ? `write ${is} without quotes` : undefined,
  };
}

function unquoted(text: string): JsonValue {
  if (/^(true|false)$/i.test(text)) return /^true$/i.test(text);
  return text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? 'an' : 'a';
}
