export { McpClient, type McpContent, type McpToolDescription } from './mcp-client.ts';
export type { McpServer } from './mcp-server.ts';
