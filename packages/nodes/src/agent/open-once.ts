import { AsyncLocalStorage } from 'node:async_hooks';
import { type FlowFiles, type NodeDefinition, type PrepareContext, ScopeSlot } from '@unroll/engine';
import { openToolTable, type ReadToolTable, readToolTable, type ToolTable } from '../tool/table/index.ts';

/** What the tools of one call of a node print. */
export interface Printed {
  stdout: string;
  stderr: string;
}

const running = new AsyncLocalStorage<Printed>();

/** Runs what calls tools, and keeps what they print meanwhile. */
export function keepPrinted<T>(printed: Printed, run: () => T): T {
  return running.run(printed, run);
}

const read = new WeakMap<object, ReadToolTable>();

/** The tools of a node, read once for all nodes of its agent. */
export function readOnce(node: NodeDefinition, files: FlowFiles): ReadToolTable {
  const known = read.get(node.settings);
  if (known !== undefined) return known;
  const table = readToolTable(node, files);
  read.set(node.settings, table);
  return table;
}

const opened = new ScopeSlot<Map<string, Promise<ToolTable>>>('tables of tools');

/** The tools of a node, made ready once for all nodes of a flow that name the same ones. */
export function openOnce(node: NodeDefinition, context: PrepareContext): Promise<ToolTable> {
  const ofFlow = context.flow.kept(opened, () => new Map<string, Promise<ToolTable>>());
  const key = JSON.stringify(node.settings['tools'] ?? []);
  const table = ofFlow.get(key) ?? openToolTable(readOnce(node, context.files).table, context, print);
  ofFlow.set(key, table);
  return table;
}

function print(stream: keyof Printed, text: string): void {
  const printed = running.getStore();
  if (printed !== undefined) printed[stream] += text;
}
