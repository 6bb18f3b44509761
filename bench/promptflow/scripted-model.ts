import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
  readonly functions?: readonly unknown[];
}

/**
 * A chat service on this machine whose answers depend on the messages alone: it asks for a search until it has seen one, for
 * ever where the question says `never`, and answers with nothing where it says `nothing`.
 */
export async function startScriptedModel(): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked;
      const body = { id: 'c', object: 'chat.completion', created: 1, model: asked.model, usage };
      const choice = { index: 0, finish_reason: 'stop', message: messageFor(asked) };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...body, choices: [choice] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function messageFor({ messages, functions = [] }: Asked): unknown {
  const said = messages.map(({ role, content }) => `${role}: ${content ?? ''}`.trim());
  const question = messages.findLast(({ role }) => role === 'user')?.content?.trim() ?? '';
  const searches = messages.filter(({ role }) => role === 'function').length;
  const asks = functions.length > 0 && (searches === 0 || question.includes('never'));
  if (asks) {
    const call = { name: 'search', arguments: JSON.stringify({ query: `${question} ${searches}` }) };
    return { role: 'assistant', content: null, function_call: call };
  }
  return { role: 'assistant', content: question.includes('nothing') ? ' ' : said.slice(1).join(' | ') };
}
