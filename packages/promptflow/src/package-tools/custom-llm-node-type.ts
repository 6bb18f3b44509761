import { type NodeType, PrepareError } from '@unroll/engine';
import { missingSourceError } from '@unroll/nodes/building-blocks';
import type { ToolServices } from './built-in-tool.ts';
import { inspectPackageNode } from './inspect-package-node.ts';
import { preparePackage } from './prepare-package.ts';

/** `custom_llm`: a package tool that fills the node's template itself. */
export function customLlmNodeType(services: ToolServices): NodeType {
  return {
    name: 'custom_llm',
    version: 1,
    effects: 'may write',
    keys: [],
    inspect: inspectPackageNode,
    async prepare(node, context) {
      const { source } = node;
      if (source === undefined) throw new PrepareError(missingSourceError(node.name));
      if (source.type === 'package_with_prompt') return preparePackage(node, context, services);
      const message = `Tool source type ${source.type} for custom_llm tool is not supported yet.`;
      const code = 'NotImplementedError';
      throw new PrepareError({ code, message, retryable: false });
    },
  };
}
