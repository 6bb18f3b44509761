import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';
import type { PromptFlowCase } from './case.ts';
import { differences } from './compare-values.ts';
import type { CaseOutcome } from './run-case.ts';

/** What a case expected and did not get; empty when all holds. */
export function caseDifferences(one: PromptFlowCase, outcome: CaseOutcome): readonly string[] {
  const { result, problems, flowFolder } = outcome;
  const { nodes: expectedNodes, ...expected } = one.expect;
  const { nodes, ...rest } = withToldOutputs(result, one.expect);
  // What a case does not speak of was not recorded: no metrics, no tokens, no node.
  const actual = Object.fromEntries(
    Object.entries(rest).filter(([key]) => isReported(key, one, rest) && !isUntoldMetric(key, one)),
  );
  if (isMapping(actual['stream_chunks'])) actual['stream_chunks'] = withoutObjects(actual['stream_chunks'], expected);
  return [
    ...differences(expected, actual, flowFolder),
    ...(expectedNodes === undefined
      ? []
      : nodeDifferences(expectedNodes as JsonObject, (nodes ?? {}) as JsonObject, outcome)),
    ...problems,
  ];
}

/** The nodes of a result, of one node run alone and of aggregation, with null for outputs that the case says are null. */
function withToldOutputs(result: JsonObject, expected: JsonObject): JsonObject {
  const { aggregation, status } = result;
  const told = typeof status === 'string' ? asTold(result, expected) : result;
  if (!isMapping(told) || !isMapping(aggregation) || !isMapping(expected['aggregation'])) return told as JsonObject;
  const ofNodes = expected['aggregation'];
  const entries = Object.entries(aggregation).map(([name, node]) => [name, asTold(node, ofNodes[name])] as const);
  return { ...told, aggregation: Object.fromEntries(entries) };
}

/** The original gives an asynchronous generator as the object it is: no text, and no pieces of it. */
function withoutObjects(chunks: JsonObject, { outputs, stream_chunks: told }: JsonObject): JsonObject {
  const isObject = (name: string): boolean => isMapping(outputs) && isMapping(outputs[name]) && '$any' in outputs[name];
  const isUntold = (name: string): boolean => !(isMapping(told) && Object.hasOwn(told, name));
  return Object.fromEntries(Object.entries(chunks).filter(([name]) => !(isObject(name) && isUntold(name))));
}

function isReported(key: string, { expect: expected, mode }: PromptFlowCase, actual: JsonObject): boolean {
  if (Object.hasOwn(expected, key)) return true;
  // Of one node run alone the same stands twice: beside `nodes` and in it.
  const hasNodes = Object.hasOwn(expected, 'nodes');
  if (key === 'error' && mode === 'node') return !hasNodes;
  if (key === 'status' || key === 'output') return !(hasNodes && mode === 'node');
  if (key === 'loaded') return Object.keys(expected).length > 0;
  return key === 'metrics'
    ? Object.keys(actual[key] as JsonObject).length > 0
    : key !== 'tokens' && key !== 'stream_chunks';
}

/** What the original's test of a flow gives back holds no metrics. */
function isUntoldMetric(key: string, { mode, expect }: PromptFlowCase): boolean {
  return key === 'metrics' && mode === 'test' && !Object.hasOwn(expect, 'metrics');
}

/** In a flow that failed, or after an aggregation node that did, a node beside the failing one may be in any state. */
function nodeDifferences(
  expected: JsonObject,
  actual: JsonObject,
  { ancestors, aggregation, flowFolder, result }: CaseOutcome,
): readonly string[] {
  const failed = Object.entries(expected).filter(([, node]) => statusOf(node) === 'Failed');
  const before = new Set(failed.flatMap(([name]) => [name, ...(ancestors.get(name) ?? [])]));
  const races = (name: string): boolean => result['status'] === 'Failed' || aggregation.has(name);
  const isRacing = (name: string): boolean => races(name) && failed.length > 0 && !before.has(name);
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].filter((name) => !isRacing(name));
  const pick = (nodes: JsonObject): JsonObject =>
    Object.fromEntries(names.flatMap((name) => (nodes[name] === undefined ? [] : [[name, nodes[name] as JsonValue]])));
  const told = Object.fromEntries(
    Object.entries(pick(actual)).map(([name, node]) => [name, asTold(node, expected[name])]),
  );
  return differences(pick(expected), told, flowFolder).map((difference) => `node ${difference}`);
}

/** Some cases tell of a node without an output that its output is null, others do not speak of it. */
function asTold(actual: JsonValue, expected: JsonValue | undefined): JsonValue {
  if (!isMapping(actual) || !isMapping(expected) || Object.hasOwn(actual, 'output')) return actual;
  return Object.hasOwn(expected, 'output') ? { ...actual, output: null } : actual;
}

function statusOf(node: JsonValue): JsonValue | undefined {
  return (node as JsonObject)['status'];
}
