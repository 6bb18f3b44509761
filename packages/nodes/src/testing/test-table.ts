import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Connection,
  type Diagnostic,
  formatDiagnostics,
  type JsonObject,
  type JsonValue,
  type PrepareContext,
  parseYaml,
  type ToolResult,
} from '@unroll/engine';
import { openToolTable, type ToolTable } from '../tool/table/open-tool-table.ts';
import { readToolTable } from '../tool/table/read-tool-table.ts';
import { flowContext } from './flow-context.ts';

/** A flow's folder with some files, among them `tools.yaml`. */
export interface TestTable extends AsyncDisposable {
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics as `flow check` prints them. */
  readonly told: string;
  open(): Promise<ToolTable>;
  /** Calls a tool of the table. */
  call(name: string, given: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
  /** What tools printed. */
  readonly printed: string[];
}

export function testTable(
  files: Readonly<Record<string, string>>,
  options: {
    readonly connections?: readonly Connection[];
    readonly tools?: JsonValue;
    readonly inThreads?: boolean;
  } = {},
): TestTable {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-tools-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const closing: (() => void | Promise<void>)[] = [];
  const { connections = [], inThreads = false } = options;
  const onClose: PrepareContext['onClose'] = (close) => closing.push(close);
  const context = flowContext(folder, { connections, inThreads, valuesOpenRoles: false, onClose });
  const source = { path: 'flow.dag.yaml', text: 'tools: tools.yaml' };
  const { locate } = parseYaml(source);
  const node = { name: 'assistant', settings: { tools: options.tools ?? 'tools.yaml' }, locate };
  const { table, diagnostics } = readToolTable(node, context.files);
  const printed: string[] = [];
  let opened: Promise<ToolTable> | undefined;
  const open = (): Promise<ToolTable> => {
    opened ??= openToolTable(table, context, (_stream, text) => printed.push(text));
    return opened;
  };
  return {
    diagnostics,
    told: formatDiagnostics(diagnostics),
    open,
    printed,
    call: async (name, given, signal = new AbortController().signal) => {
      const tool = (await open()).tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`bug: there is no tool ${name}`);
      return await tool.call(given, { signal });
    },
    [Symbol.asyncDispose]: async () => {
      for (const close of closing.reverse()) await close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}
