import {
  type Diagnostic,
  type FingerprintInputs,
  type FlowFiles,
  joinFingerprintInputs,
  type PrepareContext,
  type PreparedNode,
  unseenPart,
} from '@unroll/engine';
import { scriptReads, scriptReadsNow } from '../../code/code-host.ts';
import { pythonReads, pythonReadsNow } from '../../python/flow-workers.ts';
import { unseenReads } from '../../python/unseen-reads.ts';
import type { ToolEntry, ToolExecutor, ToolTableDefinition } from './tool-definition.ts';

type Reads = Pick<PreparedNode, 'reads' | 'readsNow'>;

/** What the code behind a table's tools reads; nothing where none of them is code, or a process, of the flow. */
export function toolTableReads({ entries }: ToolTableDefinition, context: PrepareContext): Reads {
  const paths = codePaths(entries).map((path) => context.files.resolve(path) ?? '');
  const python = paths.filter((path) => path.endsWith('.py'));
  const scripts = paths.filter((path) => !path.endsWith('.py'));
  const kinds: readonly Required<Reads>[] = [
    ...(scripts.length === 0
      ? []
      : [{ reads: () => scriptReads(context, scripts), readsNow: scriptReadsNow(context) }]),
    ...(python.length === 0 ? [] : [{ reads: () => pythonReads(context, python), readsNow: pythonReadsNow(context) }]),
    ...(entries.some(isProcess) ? [processReads] : []),
  ];
  return kinds.length === 0 ? {} : kinds.reduce(bothReads);
}

/**
 * Where code behind tools gets at what a run cannot see; nothing where a tool writes, since the node then always runs. What a
 * server's tools do, only the server can tell.
 */
export function unseenToolReads({ entries }: ToolTableDefinition, files: FlowFiles): readonly Diagnostic[] {
  const writes = entries.some((entry) => entry.kind === 'tool' && entry.tool.effects === 'writes');
  return writes ? [] : [...new Set(codePaths(entries))].flatMap((path) => unseenReads(path, files));
}

/** Files of the code behind a table's tools, as they are written, from the flow's folder. */
export function codePaths(entries: readonly ToolEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'tool' ? codePath(entry.tool.executor) : []));
}

function codePath(executor: ToolExecutor): readonly string[] {
  if (executor.kind === 'code') return [executor.path];
  const local =
    executor.kind === 'lambda' && executor.target.connection === 'offline' ? executor.target.local : undefined;
  return local === undefined ? [] : [local];
}

function isProcess(entry: ToolEntry): boolean {
  return entry.kind === 'mcp' && entry.server.transport.kind === 'stdio';
}

/** A server that is a process reads what nobody sees, its own code to begin with. */
const processReads: Required<Reads> = {
  reads: () => ({ [`${unseenPart}child process`]: 'used' }),
  readsNow: async () => ({}),
};

/** Parts of two languages bear the same names: one is the same where both find it so. */
function bothReads(one: Required<Reads>, other: Required<Reads>): Required<Reads> {
  return {
    reads: () => joinFingerprintInputs(one.reads(), other.reads()),
    readsNow: async (earlier: FingerprintInputs) =>
      joinFingerprintInputs(await one.readsNow(earlier), await other.readsNow(earlier)),
  };
}
