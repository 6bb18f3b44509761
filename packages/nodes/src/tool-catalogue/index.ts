export { isCanonicalName } from './canonical-names.ts';
export { CatalogueError, parseCatalogue, stringifyCatalogue } from './catalogue-file.ts';
export type { CatalogueTool, DescribedTool, PlacedTool, ReadTools, ToolMistake } from './catalogue-tool.ts';
export { type MadeQuery, makeQueries } from './made-queries.ts';
export { type McpPlace, readMcpTools } from './mcp-tools.ts';
export { narrowedRetriever, withinCategories } from './narrowed-catalogue.ts';
export { type OpenedCatalogue, openCatalogue, openRetriever } from './open-catalogue.ts';
export { prefixGrammar } from './prefix-grammar.ts';
export { readTools, toolExtensions } from './read-tools.ts';
export { stringifyRetriever } from './retriever-file.ts';
export { toolCallNodeType } from './tool-call-node-type.ts';
export { createCatalogue, nameTools, type ToolCatalogue } from './tool-catalogue.ts';
export {
  type AllowedCall,
  type CallVerdict,
  callsOfMessage,
  type RefusalReason,
  type RefusedCall,
  ToolGuard,
  type WrittenCall,
} from './tool-guard.ts';
export { toolLookupNodeType } from './tool-lookup-node-type.ts';
export { maxOffered, noneOfThese, type OfferForm, offerTools, strictSchema } from './tool-offer.ts';
export { FeatureRetriever, type Ranking, type ToolHit, type ToolRetriever } from './tool-retriever.ts';
export { maxTrained, type TrainingProgress, type TrainingQuery, trainRetriever } from './train-retriever.ts';
