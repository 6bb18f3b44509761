export { McpClient, type McpContent } from './mcp-client.ts';
export type { McpServer } from './mcp-server.ts';
export type { McpToolDescription } from './mcp-words.ts';
