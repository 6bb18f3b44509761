import { parseYaml } from '@unroll/engine';
import { expect, test } from 'vitest';
import { readingRefusal, testRefusal } from './reading-refusal.ts';

const node = 'nodes: [{name: n, type: python, source: {type: code, path: t.py}}]';
const text = "string indices must be integers, not 'str'";
const noName = "KeyError: 'name'";

// Made by running Prompt flow 1.18.5 itself: what it raises where it loads the flow, and where it tests it.
test.for([
  ['[]', "AttributeError: 'CommentedSeq' object has no attribute 'get'", undefined],
  ['just text', "AttributeError: 'str' object has no attribute 'get'", undefined],
  ['5', "AttributeError: 'int' object has no attribute 'get'", undefined],
  ['inputs: {}', 'fine', "KeyError: 'nodes'"],
  ['nodes:', 'fine', "TypeError: 'NoneType' object is not iterable"],
  ['nodes: []', 'fine', 'fine'],
  ['nodes: {n: {type: python}}', "AttributeError: 'str' object has no attribute 'get'", `TypeError: ${text}`],
  ['nodes: text', "AttributeError: 'str' object has no attribute 'get'", `TypeError: ${text}`],
  ['nodes: 5', "TypeError: 'int' object is not iterable", undefined],
  [
    'nodes: [null]',
    "AttributeError: 'NoneType' object has no attribute 'get'",
    "TypeError: 'NoneType' object is not subscriptable",
  ],
  ['nodes: [5]', "AttributeError: 'int' object has no attribute 'get'", "TypeError: 'int' object is not subscriptable"],
  [
    'nodes: [[]]',
    "AttributeError: 'CommentedSeq' object has no attribute 'get'",
    'TypeError: list indices must be integers or slices, not str',
  ],
  ['nodes: [{type: python}]', 'fine', noName],
  ['nodes: [{name: null, type: python}]', 'fine', 'fine'],
  [`inputs: text\n${node}`, "AttributeError: 'str' object has no attribute 'items'", 'fine'],
  [`inputs: [a]\n${node}`, "AttributeError: 'CommentedSeq' object has no attribute 'items'", 'fine'],
  [`inputs: []\n${node}`, 'fine', 'fine'],
  [`inputs: {a: null}\n${node}`, "TypeError: 'NoneType' object is not subscriptable", 'fine'],
  [`inputs: {a: string}\n${node}`, `TypeError: ${text}`, 'fine'],
  [`inputs: {a: {}}\n${node}`, "KeyError: 'type'", 'fine'],
  [`inputs: {a: {type: [string]}}\n${node}`, "ValueError: ['string'] is not a valid ValueType", 'fine'],
  [`inputs: {a: [1]}\n${node}`, 'TypeError: list indices must be integers or slices, not str', 'fine'],
  [`outputs: {o: {reference: x}}\n${node}`, "KeyError: 'type'", 'fine'],
  ['nodes: [{name: n, source: null}]', "AttributeError: 'NoneType' object has no attribute 'get'", 'fine'],
  ['nodes: [{name: n, source: t.py}]', "AttributeError: 'str' object has no attribute 'get'", 'fine'],
  ['nodes: [{name: n, type: null}]', 'ValueError: None is not a valid ToolType', 'fine'],
  ['nodes: [{name: n, inputs: text}]', "AttributeError: 'str' object has no attribute 'items'", 'fine'],
  ['nodes: [{name: n, activate: null}]', "TypeError: argument of type 'NoneType' is not iterable", 'fine'],
  [
    'nodes: [{name: n, activate: [when]}]',
    'FlowDefinitionError: The definition of activate config for node n is incorrect. Please check your flow yaml and resubmit.',
    'fine',
  ],
] as const)('%s', ([written, load, inTest]) => {
  const { value = null } = parseYaml({ path: 'flow.dag.yaml', text: written });
  expect(told(readingRefusal(value))).toBe(load);
  expect(told(testRefusal(value))).toBe(inTest ?? load);
});

function told(refused: { readonly code: string; readonly message: string } | undefined): string {
  return refused === undefined ? 'fine' : `${refused.code}: ${refused.message}`;
}
