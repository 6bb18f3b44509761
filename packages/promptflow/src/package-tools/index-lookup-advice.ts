import { type NodeDefinition, PrepareError } from '@unroll/engine';
import { userError } from '@unroll/nodes/building-blocks';

/** What to do where the package that asks indexes of Azure is not installed; any other failure stays what it is. */
export function withLookupAdvice(error: unknown, { name, source }: NodeDefinition): unknown {
  const { tool = '' } = source ?? {};
  const isLookup = tool.startsWith('promptflow_vectordb.');
  if (!isLookup || !(error instanceof PrepareError) || error.error.code !== 'PackageToolNotFoundError') return error;
  // It is installed, and why it cannot be imported says more.
  if (error.error.cause !== undefined) return error;
  const message = `Package tool '${tool}' of node '${name}' is in a package that is not installed: pip install promptflow-vectordb, or list it in requirements.txt and run flow python setup. Or put the documents in a folder of the flow and use a node of type lookup (index: <folder>, top_k: <n>; its input is query); see docs/lookup.md`;
  return new PrepareError(userError('PackageToolNotFoundError', message));
}
