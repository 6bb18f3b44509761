import type { NodeDefinition, PrepareContext, PreparedNode } from '@unroll/engine';
import type { ToolServices } from './built-in-tool.ts';
import { findBuiltInTool } from './find-tool.ts';
import { withLoginAdvice, withLookupAdvice } from './index-lookup-advice.ts';
import { preparePackageNode } from './prepare-package-node.ts';

/**
 * A node of a package tool: one of ours, whether or not the package is installed too, else one of the Python packages.
 *
 * @throws PrepareError when there is no such tool, or the node cannot be run with it
 */
export async function preparePackage(
  node: NodeDefinition,
  context: PrepareContext,
  services: ToolServices,
): Promise<PreparedNode> {
  const tool = findBuiltInTool(node.source?.tool ?? '');
  if (tool !== undefined) return preparePackageNode(node, tool, context, services);
  const { preparePythonPackage } = await import('@unroll/nodes/python');
  try {
    const prepared = await preparePythonPackage(node, context);
    return { ...prepared, run: async (inputs, call) => withLoginAdvice(await prepared.run(inputs, call), node) };
  } catch (error) {
    throw withLookupAdvice(error, node);
  }
}
