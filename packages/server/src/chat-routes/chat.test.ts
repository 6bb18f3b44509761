import { chatFlow, startOpenAiServer } from '@unroll/nodes/testing';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { serveFlows } from '../testing/served-world.ts';

async function serveChat(url: string) {
  return await serveFlows(['chat', 'double', 'wait'], { key: 'the-key' }, chatFlow(url));
}

function clientOf(url: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'the-key', maxRetries: 0 });
}

const talk: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi.' },
  { role: 'user', content: [{ type: 'text', text: 'And again' }] },
];

test('the client of OpenAI lists flows as models, and talks with one', async () => {
  await using model = await startOpenAiServer([{ message: { content: 'Again.' } }]);
  await using world = await serveChat(model.url);
  const client = clientOf(world.server.url);
  const models: string[] = [];
  for await (const { id } of client.models.list()) models.push(id);
  expect(models).toEqual(['chat', 'double', 'wait']);
  const { data, response } = await client.chat.completions
    .create({ model: 'chat', messages: talk, temperature: 0.5 })
    .withResponse();
  expect(data).toMatchObject({
    object: 'chat.completion',
    model: 'chat',
    choices: [{ message: { role: 'assistant', content: 'Again.' }, finish_reason: 'stop' }],
  });
  expect(data.usage?.total_tokens).toBeGreaterThan(0);
  expect(response.headers.get('x-flow-passed-over')).toBe('temperature');
  expect(response.headers.get('x-flow-run')).toMatch(/^\d{8}-\d{6}-chat-\w{4}\/0$/);
  const sent = model.requests[0]?.body['messages'] as readonly { readonly content: string }[];
  expect(sent.map(({ content }) => content)).toEqual(['Be kind.', 'Hello', 'Hi.', 'And again']);
});

test('where the node that answers was bypassed, nothing is said to have been answered', async () => {
  await using model = await startOpenAiServer([]);
  const files = chatFlow(model.url);
  const bypassed = `${files['chat/flow.dag.yaml']}  activate: {when: "\${inputs.tone}", is: never}\n`;
  await using world = await serveFlows(['chat'], { key: 'the-key' }, { ...files, 'chat/flow.dag.yaml': bypassed });
  const { choices } = await clientOf(world.server.url).chat.completions.create({ model: 'chat', messages: talk });
  expect(choices).toMatchObject([{ message: { role: 'assistant', content: null }, finish_reason: 'stop' }]);
  expect(model.requests).toEqual([]);
});

test('streamed, the pieces come as the model gives them, and usage at the end where it is asked for', async () => {
  await using model = await startOpenAiServer([{ message: { content: 'One two three.' } }]);
  await using world = await serveChat(model.url);
  const stream = await clientOf(world.server.url).chat.completions.create({
    model: 'chat',
    messages: talk,
    stream: true,
    stream_options: { include_usage: true },
  });
  const texts: string[] = [];
  const ends: (string | null)[] = [];
  let tokens = 0;
  for await (const { choices, usage } of stream) {
    for (const { delta, finish_reason: finish } of choices) {
      texts.push(delta.content ?? '');
      ends.push(finish);
    }
    tokens += usage?.total_tokens ?? 0;
  }
  expect(texts.join('')).toBe('One two three.');
  expect(texts.filter((text) => text !== '').length).toBeGreaterThan(1);
  expect(ends.at(-1)).toBe('stop');
  expect(tokens).toBeGreaterThan(0);
  expect(model.requests[0]?.body['stream']).toBe(true);
});

test.for(['length', 'content_filter'] as const)('an answer that was cut off (%s) says so', async (reason) => {
  const reply = { message: { content: 'One two' }, finishReason: reason };
  await using model = await startOpenAiServer([reply, reply]);
  await using world = await serveChat(model.url);
  const { completions } = clientOf(world.server.url).chat;
  const whole = await completions.create({ model: 'chat', messages: talk });
  expect(whole.choices[0]).toMatchObject({ message: { content: 'One two' }, finish_reason: reason });
  const ends: (string | null | undefined)[] = [];
  for await (const { choices } of await completions.create({ model: 'chat', messages: talk, stream: true }))
    ends.push(choices[0]?.finish_reason);
  expect(ends.at(-1)).toBe(reason);
});

test('an answer that no model writes comes whole', async () => {
  await using world = await serveChat('http://127.0.0.1:9');
  const client = clientOf(world.server.url);
  const messages = [{ role: 'user', content: '21' }] as const;
  const answer = await client.chat.completions.create({ model: 'double', messages: [...messages] });
  expect(answer.choices[0]?.message.content).toBe('{"twice":42,"more":{}}');
  const texts: string[] = [];
  for await (const { choices } of await client.chat.completions.create({
    model: 'double',
    messages: [...messages],
    stream: true,
  }))
    texts.push(choices[0]?.delta.content ?? '');
  expect(texts.join('')).toBe('{"twice":42,"more":{}}');
});

test.for<[model: string, messages: object[], told: string]>([
  ['chat', [{ role: 'assistant', content: 'Welcome' }, ...talk], 'first message of the assistant'],
  ['chat', [...talk.slice(0, 2), { role: 'user', content: 'x', name: 'Ann' }], 'messages.name'],
  ['chat', [talk[0] ?? {}, { role: 'assistant', content: null, refusal: 'no' }, ...talk.slice(2)], 'messages.refusal'],
  ['chat', [{ role: 'user', content: '1', name: null }], 'none'],
  ['wait', [...talk.slice(0, 2), { role: 'user', content: 'http://127.0.0.1:9' }], 'earlier messages'],
])('%s: what of the messages has no place is told', async ([model, messages, told]) => {
  await using service = await startOpenAiServer([{ message: { content: 'Yes.' } }]);
  await using world = await serveChat(service.url);
  const body = JSON.stringify({ model, messages, stream: true });
  const headers = { authorization: 'Bearer the-key', 'content-type': 'application/json' };
  const answer = await fetch(`${world.server.url}/v1/chat/completions`, { method: 'POST', headers, body });
  await answer.text();
  expect([answer.status, answer.headers.get('x-flow-passed-over') ?? 'none']).toEqual([200, told]);
});

test.for<[what: string, body: object, status: number, said: string]>([
  ['a model that is none', { model: 'none', messages: [{ role: 'user', content: 'x' }] }, 404, 'no such chat flow'],
  ['no messages', { model: 'chat', messages: [] }, 400, '"messages: must be a list of at least 1, not of 0"'],
  ['a model that is no text', { model: 3 }, 400, '"model: must be a text, not 3; messages: must be a list"'],
  [
    'a part that is a picture',
    { model: 'chat', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
    400,
    String.raw`"messages[0].content[0].type: must be \"text\", not \"image_url\"; messages[0].content[0].text: must be a text"`,
  ],
  [
    'a message of the user that says nothing',
    { model: 'chat', messages: [{ role: 'user', content: null }] },
    400,
    '"messages[0].content: must be a text, or a list of parts of type text"',
  ],
  [
    'a last word of the assistant',
    { model: 'chat', messages: [{ role: 'assistant', content: 'x' }] },
    400,
    'The last message',
  ],
  [
    'tools of the client',
    { model: 'chat', messages: [{ role: 'user', content: 'x' }], tools: [{}] },
    400,
    'tools of its own',
  ],
  ['two choices', { model: 'chat', messages: [{ role: 'user', content: 'x' }], n: 2 }, 400, 'one choice'],
  ['a wrong input', { model: 'double', messages: [{ role: 'user', content: 'x' }] }, 400, "flow input 'n'"],
  ['a failure of the flow', { model: 'double', messages: [{ role: 'user', content: '3' }] }, 500, 'no way to double 3'],
])('%s is told as OpenAI tells it', async ([, body, status, said]) => {
  await using world = await serveChat('http://127.0.0.1:9');
  const headers = { authorization: 'Bearer the-key', 'content-type': 'application/json' };
  const url = `${world.server.url}/v1/chat/completions`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, expect.stringContaining(said)]);
  expect(JSON.parse(text)).toMatchObject({
    error: { type: status < 500 ? 'invalid_request_error' : 'server_error', param: null },
  });
  expect(text).not.toContain(world.folder);
});

test('with a wrong key the client raises its own error', async () => {
  await using world = await serveChat('http://127.0.0.1:9');
  const client = new OpenAI({ baseURL: `${world.server.url}/v1`, apiKey: 'wrong', maxRetries: 0 });
  await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
});

test('a failure midway ends a stream with an error', async () => {
  await using world = await serveChat('http://127.0.0.1:9');
  const stream = await clientOf(world.server.url).chat.completions.create({
    model: 'double',
    messages: [{ role: 'user', content: '3' }],
    stream: true,
  });
  const read = async (): Promise<void> => {
    for await (const _ of stream);
  };
  await expect(read()).rejects.toThrow('no way to double 3');
});
