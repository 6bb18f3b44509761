import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Connection,
  type InputDefinition,
  type JsonObject,
  type NodeCall,
  type NodeDefinition,
  type NodeOutcome,
  type PrepareContext,
  type PreparedNode,
  rowAlone,
} from '@unroll/engine';
import { pythonNodeType } from '../python/python-node-type.ts';
import { type PythonStandIn, withPythonStandIns } from '../python/python-stand-ins.ts';
import { flowContext } from './flow-context.ts';

/** A flow folder with some files, whose nodes tests prepare and run. */
export interface TestFlow extends AsyncDisposable {
  readonly folder: string;
  /** @param inputs literals by name; give `references` for inputs bound to something */
  prepare(path: string, options?: PrepareTestOptions): Promise<PreparedNode>;
}

interface PrepareTestOptions {
  readonly name?: string;
  readonly literals?: JsonObject;
  readonly references?: readonly string[];
  readonly aggregation?: boolean;
  readonly definition?: Partial<NodeDefinition>;
}

export interface TestFlowOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly connections?: readonly Connection[];
  readonly workers?: number;
  readonly inThreads?: boolean;
  readonly standIns?: readonly PythonStandIn[];
}

export function createTestFlow(files: Readonly<Record<string, string>>, options: TestFlowOptions = {}): TestFlow {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-flow-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const closing: (() => void | Promise<void>)[] = [];
  const { connections = [], inThreads = false, standIns = [], workers } = options;
  const environment = {
    ...options.environment,
    ...(workers === undefined ? {} : { UNROLL_PYTHON_WORKERS: String(workers) }),
  };
  const type = withPythonStandIns(pythonNodeType(), standIns);
  const onClose: PrepareContext['onClose'] = (close) => closing.push(close);
  const context = flowContext(folder, { environment, connections, inThreads, onClose });
  return {
    folder,
    prepare: (path, prepareOptions = {}) => type.prepare(createDefinition(path, prepareOptions), context),
    [Symbol.asyncDispose]: async () => {
      for (const close of closing.reverse()) await close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** Runs a node for one row; calls that share `row` belong to one row. */
export async function runNode(
  node: PreparedNode,
  inputs: JsonObject = {},
  options: Partial<NodeCall> = {},
): Promise<NodeOutcome> {
  const call = {
    runId: 'run',
    line: 0,
    node: 'n',
    signal: new AbortController().signal,
    flowInputs: {},
    row: rowAlone(),
    ...options,
  };
  return await node.run({ ...node.literals, ...inputs }, call);
}

function createDefinition(path: string, options: PrepareTestOptions): NodeDefinition {
  const { name = 'n', literals = {}, references = [], aggregation = false, definition } = options;
  const inputs: Record<string, InputDefinition> = {};
  for (const [key, value] of Object.entries(literals)) inputs[key] = { kind: 'literal', value };
  for (const key of references) inputs[key] = { kind: 'flow-input', input: key };
  return {
    name,
    type: 'python',
    source: { type: 'code', path },
    inputs,
    aggregation,
    settings: {},
    locate: () => undefined,
    ...definition,
  };
}
