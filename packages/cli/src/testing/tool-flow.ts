/** A flow whose model asks for its one tool, `say`, once; what stands behind that is in `tools.yaml`, which a test writes. */
export const toolFlow = {
  'flow/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {say: {type: object, reference: "\${act.output.function_results}"}}
nodes:
- {name: ask, type: python, source: {type: code, path: ask.ts}, inputs: {q: "\${inputs.q}"}}
- {name: act, type: tools, tools: tools.yaml, inputs: {state: "\${ask.output.state}", message: "\${ask.output.message}"}}
`,
  'flow/ask.ts': `export default ({ q }: { q: string }) => ({
  state: { finished: false, query: q, function_results: [], scratchpad: [] },
  message: {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'say', arguments: '{}' } }],
  },
});
`,
  'flow/package.json': '{"type": "module"}',
} as const;

/**
 * A program that speaks MCP on its standard input and output and offers the tool `say`.
 *
 * @param text an expression: what the tool says
 * @param head what stands before, imports among it
 * @param annotations of the tool, as JSON
 */
export function mcpProgram(text: string, head: string, annotations = '{}'): string {
  return `import { createInterface } from 'node:readline';
${head}
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const { protocolVersion } = params ?? {};
  const serverInfo = { name: 's', version: '1' };
  if (method === 'initialize') say(id, { protocolVersion, capabilities: { tools: {} }, serverInfo });
  const tool = { name: 'say', inputSchema: { type: 'object' }, annotations: ${annotations} };
  if (method === 'tools/list') say(id, { tools: [tool] });
  if (method === 'tools/call') say(id, { content: [{ type: 'text', text: ${text} }] });
});
`;
}
