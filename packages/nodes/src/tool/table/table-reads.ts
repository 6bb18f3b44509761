import { type FingerprintInputs, joinFingerprintInputs, type PrepareContext, type PreparedNode } from '@unroll/engine';
import { scriptReads, scriptReadsNow } from '../../code/code-host.ts';
import { pythonReads, pythonReadsNow } from '../../python/prepare-python-node.ts';
import type { ToolExecutor, ToolTableDefinition } from './tool-definition.ts';

type Reads = Pick<PreparedNode, 'reads' | 'readsNow'>;

/** What the code behind a table's tools reads; nothing where none of them is code of the flow. */
export function toolTableReads({ entries }: ToolTableDefinition, context: PrepareContext): Reads {
  const paths = entries.flatMap((entry) => (entry.kind === 'tool' ? codePath(entry.tool.executor, context) : []));
  const python = paths.filter((path) => path.endsWith('.py'));
  const scripts = paths.filter((path) => !path.endsWith('.py'));
  const kinds: readonly Required<Reads>[] = [
    ...(scripts.length === 0
      ? []
      : [{ reads: () => scriptReads(context, scripts), readsNow: scriptReadsNow(context) }]),
    ...(python.length === 0 ? [] : [{ reads: () => pythonReads(context, python), readsNow: pythonReadsNow(context) }]),
  ];
  const [first, other] = kinds;
  return first === undefined ? {} : other === undefined ? first : bothReads(first, other);
}

function codePath(executor: ToolExecutor, { files }: PrepareContext): readonly string[] {
  if (executor.kind === 'code') return [files.resolve(executor.path) ?? ''];
  const local =
    executor.kind === 'lambda' && executor.target.connection === 'offline' ? executor.target.local : undefined;
  return local === undefined ? [] : [files.resolve(local) ?? ''];
}

/** Parts of two languages bear the same names: one is the same where both find it so. */
function bothReads(one: Required<Reads>, other: Required<Reads>): Reads {
  return {
    reads: () => joinFingerprintInputs(one.reads(), other.reads()),
    readsNow: async (earlier: FingerprintInputs) =>
      joinFingerprintInputs(await one.readsNow(earlier), await other.readsNow(earlier)),
  };
}
