import type { FlowFiles, NodeDefinition, NodeInspection, NodeType, PrepareContext, PreparedNode } from '@unroll/engine';
import type { ModelAsker } from './llm/ask-model.ts';
import type { OpenService } from './llm/find-service.ts';
import type { PythonStandIn } from './python/python-stand-ins.ts';

/** What all node types of a flow ask the world through. */
export interface NodeServices {
  /** Secrets are taken out of what these services say. */
  readonly openService: OpenService;
  readonly asker: ModelAsker;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Nodes whose code is a tool of an installed package (`source: {type: package}`). */
export interface PackageTools {
  inspect(node: NodeDefinition, files: FlowFiles): NodeInspection;
  /** @throws PrepareError when there is no such tool, or the node cannot be run with it */
  prepare(node: NodeDefinition, context: PrepareContext): Promise<PreparedNode>;
  /** Whether tools of this Python module are done here, so that it is not imported. */
  standsInFor(module: string): boolean;
}

/** What another package adds: further node types, and what runs tools of packages. */
export interface AddedNodeTypes {
  readonly nodeTypes: readonly NodeType[];
  readonly packageTools?: PackageTools;
  /** What Python code of the flow may import though it is not installed. */
  readonly pythonStandIns?: readonly PythonStandIn[];
}

export type NodeTypeExtension = (services: NodeServices) => AddedNodeTypes;
