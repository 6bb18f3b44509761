export { type MadeToolQueries, makeToolQueries, type ToolQueryProgress } from './make-tool-queries.ts';
