import type { NodeType } from '@unroll/engine';
import { type LlmNodeOptions, llmNodeType } from './llm/llm-node-type.ts';
import { openModelService } from './llm/open-model-service.ts';
import { lookupNodeType } from './lookup/index.ts';
import { promptNodeType } from './prompt/prompt-node-type.ts';
import { pythonNodeType } from './python/python-node-type.ts';

/** The node types there are, by the name a flow writes. */
export function nodeTypes(options: Partial<LlmNodeOptions> = {}): ReadonlyMap<string, NodeType> {
  const llm = llmNodeType({ openService: openModelService, ...options });
  const types = [llm, promptNodeType, pythonNodeType(), lookupNodeType()];
  return new Map(types.map((type) => [type.name, type]));
}
