import { type ConnectionSource, checkFlow, createFlowFiles, prepareFlow, type RunnableFlow } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '../prompt-flow.ts';

const noConnections: ConnectionSource = { find: () => undefined, names: () => [] };

/** A flow as its text is written, made ready to run with the files of a folder. */
export async function openWrittenFlow(
  text: string,
  folder: string,
  connections: ConnectionSource = noConnections,
): Promise<RunnableFlow> {
  const options = {
    nodeTypes: nodeTypes({ extensions: [promptFlow()] }),
    files: createFlowFiles(folder, folder),
    connections,
  };
  const { plan, diagnostics } = checkFlow({ path: 'flow.dag.yaml', text }, options);
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const prepared = await prepareFlow(plan, options);
  if (!prepared.ok) throw new Error(prepared.error.message);
  return prepared.flow;
}
