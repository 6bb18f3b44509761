import { expect, test } from 'vitest';
import { startOpenAiServer } from '../testing/openai-server.ts';
import { createTestFlow, runNode } from '../testing/test-flow.ts';

const library = import.meta.resolve('openai');

const code = (body: string): string => `import OpenAI, { AzureOpenAI } from '${library}';
const messages = [{ role: 'user', content: 'hi' }];
const request = { model: 'gpt-4o', messages };
export default async ({ url }) => {
  const client = new OpenAI({ baseURL: url + '/v1', apiKey: 'k' });
  ${body}
};
`;

const used = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
const one = { ...used, billedAs: { connectionType: 'open_ai', model: 'gpt-4o' } };
const untold = { promptTokens: 0, completionTokens: 0, totalTokens: 0, untoldCalls: 1 };
const read = (options: string): string =>
  `for await (const chunk of await client.chat.completions.create({ ...request, stream: true${options} }));`;
const byHand =
  "const got = await fetch(url + '/v1/chat/completions', { method: 'POST', headers: { authorization: 'Bearer k', 'content-type': 'application/json' }, body: JSON.stringify(request) });";

test.for<readonly [string, string, object | undefined]>([
  ['nobody', 'return 1;', undefined],
  ['a model', 'await client.chat.completions.create(request);', one],
  ['the Responses API', "await client.responses.create({ model: 'gpt-4o', input: 'hi' });", one],
  [
    'a deployment',
    "await new AzureOpenAI({ endpoint: url, apiKey: 'k', apiVersion: '2024-02-01' }).chat.completions.create(request);",
    { ...used, billedAs: { connectionType: 'azure_open_ai', model: 'gpt-4o' } },
  ],
  ['for a stream with its tokens', read(', stream_options: { include_usage: true }'), one],
  ['for a stream without them', read(''), untold],
  ['without the package', `${byHand} await got.json();`, one],
  ['and looks at the body before it is read', `${byHand} if (got.body !== null) await got.text();`, one],
  ['and does not read the answer', byHand, untold],
  ['and fails', 'await client.chat.completions.create(request); throw new Error("x");', one],
])('code that asks %s', async ([, body, usage]) => {
  await using server = await startOpenAiServer([{ message: { content: 'Hello.' } }]);
  for (const inThreads of [true, false]) {
    server.add({ message: { content: 'Hello.' } });
    await using flow = createTestFlow({ 'n.mjs': code(body) }, { inThreads });
    const { report } = await runNode(await flow.prepare('n.mjs'), { url: server.url });
    expect(report?.usage).toEqual(usage);
    expect(report?.warnings?.length).toBe(usage === untold ? 1 : undefined);
  }
});

test.for([
  ['the bytes of the answer', 'new TextDecoder().decode(await got.arrayBuffer())'],
  ['them after a look at the body', 'got.body === null ? "" : new TextDecoder().decode(await got.arrayBuffer())'],
  ['a copy after a look at the body', 'got.body === null ? "" : await got.clone().text()'],
  ['a blob', 'await (await got.blob()).text()'],
])('code may take %s, as without being heard, and its address', async ([, taken]) => {
  await using server = await startOpenAiServer([{ message: { content: 'Hello.' } }]);
  const body = `${byHand} return [${taken}, got.url, got.redirected, got.type, got.bodyUsed || got.body !== null];`;
  await using flow = createTestFlow({ 'n.mjs': code(body) }, { inThreads: true });
  const outcome = await runNode(await flow.prepare('n.mjs'), { url: server.url });
  expect(outcome).toMatchObject({
    ok: true,
    output: [expect.stringContaining('Hello.'), `${server.url}/v1/chat/completions`, false, 'basic', true],
  });
});
