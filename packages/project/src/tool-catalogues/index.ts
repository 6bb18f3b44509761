export { buildTools, type ToolBuild, type ToolServer } from './build-tools.ts';
export { type MadeToolQueries, makeToolQueries } from './make-tool-queries.ts';
export { openToolSearch, openTools } from './open-tools.ts';
export { trainTools } from './train-tools.ts';
