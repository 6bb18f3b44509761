import { expect } from 'vitest';
import { parseFlow } from '../flow/parse-flow.ts';
import type { NodeInspection } from '../node/node-inspection.ts';
import type { FlowFiles, NodeType } from '../node/node-type.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { inspectNodes } from './inspect-nodes.ts';

const noFiles: FlowFiles = { folder: '/', read: () => undefined, resolve: (path) => path, list: () => [] };

/** A node type whose nodes are as the test says, by their names. */
function typeOf(name: string, effects: NodeType['effects'], known: Record<string, Partial<NodeInspection>>): NodeType {
  return {
    name,
    version: 1,
    effects,
    keys: [],
    inspect: (node) => ({ diagnostics: [], takesAnyInput: false, files: [], ...known[node.name] }),
    prepare: () => {
      throw new Error('bug: a check runs nothing');
    },
  };
}

export type Known = Record<string, Partial<NodeInspection>>;

/** A flow, read from its text, and its nodes as the test says they are. */
export function read(text: string, known: Known = {}) {
  const types = [typeOf('prompt', 'pure', known), typeOf('python', 'writes', known)];
  const nodeTypes = new Map(types.map((type) => [type.name, type]));
  const { spec, diagnostics } = parseFlow({ path: 'f.yaml', text }, { nodeTypes: [...nodeTypes.keys()] });
  expect(diagnostics).toEqual([]);
  if (spec === undefined) throw new Error('bug: the flow of a test is a mapping');
  return { spec, nodes: inspectNodes(spec, nodeTypes, noFiles) };
}

/** `CODE message` of each. */
export function brief(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

/** A flow of one node, with the inputs given. */
export function oneNode(inputs: string, type = 'prompt'): string {
  return `nodes:\n- name: ask\n  type: ${type}\n  inputs: ${inputs}\n`;
}
