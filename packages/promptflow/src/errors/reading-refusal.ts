import {
  isFalsy,
  isMapping,
  type JsonObject,
  type JsonValue,
  PythonDate,
  pythonClass,
  pythonRepr,
  valueTypes,
} from '@unroll/engine';
import type { PromptFlowError } from './prompt-flow-error.ts';

const toolTypes = ['python', 'llm', 'custom_llm', 'prompt', 'csharp', 'action'];

/**
 * What Prompt flow raises where it reads a flow file of the wrong shape, the first in its order (`Flow.deserialize`);
 * undefined where it reads on.
 */
export function readingRefusal(root: JsonValue): PromptFlowError | undefined {
  if (root === null) return undefined;
  if (!isPlainMapping(root)) return noAttribute(root, 'get');
  const { inputs = null, outputs = null, nodes = null } = root;
  return nodesRefusal(nodes) ?? membersRefusal(inputs, typeRefusal) ?? membersRefusal(outputs, typeRefusal);
}

/** The same of `node_variants`, which it reads last. */
export function variantsRefusal(nodeVariants: JsonValue): PromptFlowError | undefined {
  return membersRefusal(nodeVariants, (entry) => {
    const refusal = subscriptRefusal(entry, 'variants');
    if (refusal !== undefined) return refusal;
    const { variants = null } = entry as JsonObject;
    if (!isPlainMapping(variants)) return noAttribute(variants, 'items');
    return firstOf(
      Object.values(variants),
      (variant) => subscriptRefusal(variant, 'node') ?? nodeRefusal((variant as JsonObject)['node'] ?? null),
    );
  });
}

/** What its test of a flow raises before it reads the flow, where it looks for variants (`overwrite_variant`). */
export function testRefusal(root: JsonValue): PromptFlowError | undefined {
  if (!isPlainMapping(root)) return root === null ? missing('nodes') : noAttribute(root, 'get');
  const { nodes } = root;
  if (nodes === undefined) return missing('nodes');
  const items = iterated(nodes);
  if (!Array.isArray(items)) return items as PromptFlowError;
  return firstOf(items, (node) => subscriptRefusal(node as JsonValue, 'name'));
}

function nodesRefusal(nodes: JsonValue): PromptFlowError | undefined {
  if (isFalsy(nodes)) return undefined;
  const items = iterated(nodes);
  return Array.isArray(items) ? firstOf(items, (node) => nodeRefusal(node as JsonValue)) : (items as PromptFlowError);
}

function nodeRefusal(node: JsonValue): PromptFlowError | undefined {
  if (!isPlainMapping(node)) return noAttribute(node, 'get');
  const { inputs = null, source, type, activate } = node;
  const sourced = source === undefined || isPlainMapping(source) ? undefined : noAttribute(source, 'get');
  const typed =
    type === undefined || (typeof type === 'string' && toolTypes.includes(type))
      ? undefined
      : notValid(type, 'ToolType');
  return (
    membersRefusal(inputs, () => undefined) ??
    sourced ??
    typed ??
    (activate === undefined ? undefined : activateRefusal(activate, node['name'] ?? null))
  );
}

function activateRefusal(activate: JsonValue, name: JsonValue): PromptFlowError | undefined {
  const members = containedIn(activate);
  if (members === undefined)
    return { code: 'TypeError', message: `argument of type '${pythonClass(activate)}' is not iterable` };
  if (!(members('when') && members('is'))) {
    const message = `The definition of activate config for node ${isFalsy(name) ? '' : String(name)} is incorrect. Please check your flow yaml and resubmit.`;
    return { code: 'FlowDefinitionError', message };
  }
  return isPlainMapping(activate) ? undefined : subscriptRefusal(activate, 'when');
}

/** Python's `in`; undefined for what holds nothing. */
function containedIn(value: JsonValue): ((text: string) => boolean) | undefined {
  if (typeof value === 'string') return (text) => value.includes(text);
  if (Array.isArray(value)) return (text) => value.includes(text);
  return isPlainMapping(value) ? (text) => Object.hasOwn(value, text) : undefined;
}

function typeRefusal(definition: JsonValue): PromptFlowError | undefined {
  const refusal = subscriptRefusal(definition, 'type');
  if (refusal !== undefined) return refusal;
  const { type = null } = definition as JsonObject;
  return (valueTypes as readonly JsonValue[]).includes(type) ? undefined : notValid(type, 'ValueType');
}

/** A mapping whose members are looked at one by one; whatever is empty will do. */
function membersRefusal(
  written: JsonValue,
  look: (member: JsonValue) => PromptFlowError | undefined,
): PromptFlowError | undefined {
  if (isFalsy(written)) return undefined;
  if (!isPlainMapping(written)) return noAttribute(written, 'items');
  return firstOf(Object.values(written), look);
}

function firstOf<T>(items: readonly T[], look: (item: T) => PromptFlowError | undefined): PromptFlowError | undefined {
  for (const item of items) {
    const refusal = look(item);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Python's `for … in`: the keys of a mapping, the letters of a text. */
function iterated(value: JsonValue): readonly JsonValue[] | PromptFlowError {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return Array.from(value);
  if (isPlainMapping(value)) return Object.keys(value);
  return { code: 'TypeError', message: `'${pythonClass(value)}' object is not iterable` };
}

/** Python's `value[key]`. */
function subscriptRefusal(value: JsonValue, key: string): PromptFlowError | undefined {
  if (isPlainMapping(value)) return Object.hasOwn(value, key) ? undefined : missing(key);
  if (typeof value === 'string') return { code: 'TypeError', message: "string indices must be integers, not 'str'" };
  const message = Array.isArray(value)
    ? 'list indices must be integers or slices, not str'
    : `'${pythonClass(value)}' object is not subscriptable`;
  return { code: 'TypeError', message };
}

function missing(key: string): PromptFlowError {
  return { code: 'KeyError', message: `'${key}'` };
}

function notValid(value: JsonValue, type: string): PromptFlowError {
  return { code: 'ValueError', message: `${pythonRepr(value)} is not a valid ${type}` };
}

function noAttribute(value: JsonValue, attribute: string): PromptFlowError {
  const name = Array.isArray(value) ? 'CommentedSeq' : pythonClass(value);
  return { code: 'AttributeError', message: `'${name}' object has no attribute '${attribute}'` };
}

function isPlainMapping(value: JsonValue | undefined): value is JsonObject {
  const current: unknown = value;
  return isMapping(value) && !(current instanceof PythonDate) && !(current instanceof Number);
}
