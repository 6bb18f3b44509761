export { toolFailure } from './limited-tool.ts';
export { missingToolPackages } from './missing-packages.ts';
export { openToolTable, type TableTool, type ToolTable } from './open-tool-table.ts';
export { openTools } from './open-tools.ts';
export { type ReadToolTable, readToolTable } from './read-tool-table.ts';
export { codePaths, unseenToolReads } from './table-reads.ts';
export { toolConnectionDoubts } from './tool-connections.ts';
export type { ToolDefinition, ToolEntry, ToolOperation, ToolTableDefinition } from './tool-definition.ts';
export type { ToolLog } from './tool-log.ts';
