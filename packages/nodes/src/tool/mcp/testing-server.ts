import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as z from 'zod';

/** A server of the official library with tools that behave, and tools that do not. */
export function createTestServer(): McpServer {
  const server = new McpServer({ name: 'test', version: '1' });
  const text = (answer: string) => ({ content: [{ type: 'text' as const, text: answer }] });
  const read = {
    description: 'Adds.',
    inputSchema: { a: z.number(), b: z.number() },
    annotations: { readOnlyHint: true },
  };
  server.registerTool('add', read, ({ a, b }) => text(String(a + b)));
  server.registerTool('whoami', { description: 'Tells a variable.' }, () => text(process.env['WHO'] ?? 'nobody'));
  server.registerTool('fails', { description: 'Fails.' }, () => ({ ...text('no such file'), isError: true }));
  server.registerTool('hangs', { description: 'Hangs.' }, () => new Promise<never>(() => {}));
  server.registerTool('huge', { description: 'Says too much.' }, () => text('x'.repeat(2 * 1024 * 1024)));
  server.registerTool('crashes', { description: 'Ends its process.' }, () => process.exit(3));
  server.registerTool('picture', { description: 'Shows.' }, () => ({
    content: [{ type: 'image' as const, data: 'AAAA', mimeType: 'image/png' }],
  }));
  return server;
}

if (process.argv[2] === 'serve') await createTestServer().connect(new StdioServerTransport());
