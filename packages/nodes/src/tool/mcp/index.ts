export { McpClient, type McpContent, type McpSurroundings, type McpToolDescription } from './mcp-client.ts';
export type { McpServer, McpTransport } from './mcp-server.ts';
