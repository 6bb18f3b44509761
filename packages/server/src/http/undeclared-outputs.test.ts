import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { serveFlows } from '../testing/served-world.ts';

const files = {
  'code/flow.flex.yaml': 'entry: main:run\n',
  'code/main.py': 'def run(question: str) -> dict:\n    return {"answer": question.upper(), "length": len(question)}\n',
};

test('code that declares no outputs: every way in answers with what it gives, and says that there may be any', async () => {
  await using world = await serveFlows(['code'], {}, files);
  const { url } = world.server;
  const listed = (await (await fetch(`${url}/flows`)).json()) as { readonly flows: readonly object[] };
  expect(listed.flows).toMatchObject([{ name: 'code', outputs: [] }]);

  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ description: 'Runs the flow code.', outputSchema: { type: 'object' } }]);
  const called = await client.callTool({ name: 'code', arguments: { question: 'hi' } });
  expect(called.structuredContent).toEqual({ answer: 'HI', length: 2 });
  await client.close();

  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
  const { choices } = await openai.chat.completions.create({
    model: 'code',
    messages: [{ role: 'user', content: 'hi' }],
  });
  expect(choices[0]?.message.content).toBe('HI');
});
