import { type JsonObject, parseJson } from '@unroll/engine';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect, test } from 'vitest';
import { postJson } from '../testing/post-json.ts';
import { serveFlows } from '../testing/served-world.ts';

/** What breaks streams that are written without care: ends of lines of every kind, what looks like fields and events, Japanese. */
const text = '一行目\r\nevent: row-ended\ndata: {"no": 1}\n\n:comment\rid: 7\u2028次の行\u0085 😀 [DONE]\n\n\n';

const asks = `inputs:
  question: {type: string, is_chat_input: true}
outputs:
  answer: {type: string, is_chat_output: true, reference: "\${ask.output}"}
nodes:
- {name: ask, type: llm, source: {type: code, path: ask.jinja2}, connection: mine, api: chat, inputs: {model: m, question: "\${inputs.question}"}}
`;

async function servedAsks(url: string) {
  return await serveFlows(
    ['asks'],
    {},
    {
      'asks/flow.dag.yaml': asks,
      'asks/ask.jinja2': 'user:\n{{ question }}\n',
      'connections.yaml': `mine: {type: open_ai, api_key: k, base_url: "${url}/v1"}\n`,
    },
  );
}

/** As `eventsource-parser` reads an answer, which refuses what is no event stream. */
async function eventsOf(answer: Response): Promise<readonly { readonly event?: string; readonly data: string }[]> {
  const events: { readonly event?: string; readonly data: string }[] = [];
  const parser = new EventSourceParserStream({ onError: 'terminate' });
  const read = answer.body?.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
  for await (const { event, data } of read ?? []) events.push({ ...(event === undefined ? {} : { event }), data });
  return events;
}

const streamed = { accept: 'text/event-stream' };
const dataOf = ({ data }: { readonly data: string }): JsonObject => parseJson(data) as JsonObject;

test('our events: nodes, the pieces of the text, the row last', async () => {
  await using model = await startOpenAiServer([{ message: { content: text } }]);
  await using world = await servedAsks(model.url);
  const events = await eventsOf(await postJson(`${world.server.url}/flows/asks/runs`, { question: 'q' }, streamed));
  const names = events.map(({ event }) => event);
  expect(names.filter((name, at) => name !== names[at - 1])).toEqual([
    'node-started',
    'text',
    'node-ended',
    'row-ended',
  ]);
  const pieces = events.filter(({ event }) => event === 'text').map(dataOf);
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.map((piece) => piece['text']).join('')).toBe(text);
  expect(dataOf(events.at(-1) ?? { data: '' })).toMatchObject({ status: 'Completed', outputs: { answer: text } });
});

test("the events of Prompt flow's route: each holds the next piece of the answer", async () => {
  await using model = await startOpenAiServer([{ message: { content: text } }]);
  await using world = await servedAsks(model.url);
  const events = await eventsOf(await postJson(`${world.server.url}/score`, { question: 'q' }, streamed));
  expect(events.length).toBeGreaterThan(5);
  expect(events.map((event) => dataOf(event)['answer']).join('')).toBe(text);
});

test("the events of OpenAI's wire format: pieces of one choice, and the word that ends them", async () => {
  await using model = await startOpenAiServer([{ message: { content: text } }]);
  await using world = await servedAsks(model.url);
  const body = { model: 'asks', stream: true, messages: [{ role: 'user', content: 'q' }] };
  const events = await eventsOf(await postJson(`${world.server.url}/v1/chat/completions`, body));
  expect(events.at(-1)).toEqual({ data: '[DONE]' });
  const contents = events.slice(0, -1).flatMap((event) => {
    const [choice] = dataOf(event)['choices'] as readonly { readonly delta: { readonly content?: string } }[];
    return choice?.delta.content ?? [];
  });
  expect(contents.join('')).toBe(text);
});
