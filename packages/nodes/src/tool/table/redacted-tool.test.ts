import { Redactor, type Tool, type ToolResult } from '@unroll/engine';
import { expect, test } from 'vitest';
import { redactedTool } from './redacted-tool.ts';

const secret = 'Zx81-of-the-connection';
const ofRow = 'Qy77-of-this-row';
const known = new Redactor();
known.learn(secret);
const { signal } = new AbortController();

function toolOf(result: ToolResult): Tool {
  return redactedTool(
    {
      name: 'echo',
      description: `asks with ${secret}`,
      parameters: { type: 'object', description: secret },
      effects: 'reads',
      call: async () => result,
    },
    known,
  );
}

const failed = (text: string): ToolResult => ({
  ok: false,
  error: { code: 'ToolError', message: `refused: ${text}`, retryable: false, service: { said: text } },
  toModel: true,
});

test('what a tool says of itself holds no secret', () => {
  const { description, parameters } = toolOf({ ok: true, content: '' });
  expect({ description, parameters }).toEqual({
    description: 'asks with ***',
    parameters: { type: 'object', description: '***' },
  });
});

test.for([
  ['a result', { ok: true, content: `authorization: ${secret}` } as const],
  ['a failure', failed(secret)],
])('%s that repeats a secret holds it no more', async ([, result]) => {
  const told = JSON.stringify(await toolOf(result as ToolResult).call({}, { signal }));
  expect(told).toContain('***');
  expect(told).not.toContain(secret);
});

test.for([
  ['a result', { ok: true, content: `${ofRow} and ${secret}` } as const],
  ['a failure', failed(`${ofRow} and ${secret}`)],
])('%s that repeats a secret of the row holds neither that nor one of the connection', async ([, result]) => {
  const redactor = known.with([ofRow]);
  const told = JSON.stringify(await toolOf(result as ToolResult).call({}, { signal, redactor }));
  expect(told).toContain('*** and ***');
});
