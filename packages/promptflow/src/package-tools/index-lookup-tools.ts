import { PrepareError } from '@unroll/engine';
import { userError } from '@unroll/nodes/building-blocks';
import type { BuiltInTool } from './built-in-tool.ts';

const ids = [
  'promptflow_vectordb.tool.common_index_lookup.search',
  'promptflow_vectordb.tool.vector_index_lookup.VectorIndexLookup.search',
  'promptflow_vectordb.tool.faiss_index_lookup.FaissIndexLookup.search',
  'promptflow_vectordb.tool.vector_db_lookup.VectorDBLookup.search',
];

/** Index lookups of Azure: a closed package that asks indexes kept in a workspace. What takes their place is told. */
export const indexLookupTools: readonly (readonly [string, BuiltInTool])[] = ids.map((id) => [id, lookupTool(id)]);

function lookupTool(id: string): BuiltInTool {
  return {
    name: 'Index Lookup',
    takesPrompt: false,
    inputs: { mlindex_content: ['string'], queries: ['object'], query_type: ['object'], top_k: ['int'] },
    prepare: async ({ node }) => {
      const message = `Package tool '${id}' of node '${node.name}' asks an index that is kept in Azure, with a package that is not public. Put the documents in a folder of the flow and use a node of type lookup (index: <folder>, top_k: <n>; its input is query); see docs/lookup.md`;
      throw new PrepareError(userError('PackageToolNotFoundError', message));
    },
  };
}
