export type { ListedTools } from './listed-tools.ts';
export { McpClient } from './mcp-client.ts';
export type { McpContent } from './mcp-content.ts';
export type { McpServer } from './mcp-server.ts';
export type { McpToolDescription } from './mcp-words.ts';
