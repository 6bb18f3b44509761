import type { JsonObject, JsonValue, ModelRequest } from '@unroll/engine';
import { expect, test } from 'vitest';
import { offlineService } from './offline-service.ts';

const service = offlineService();
const signal = new AbortController().signal;
const parameters = { type: 'object', properties: {} };
const functions = [
  { name: 'guide_search', parameters },
  { name: 'faq_search', parameters },
];
const system = { role: 'system', content: 'Use faq_search first, then guide_search.' };

async function answer(request: ModelRequest): Promise<JsonObject> {
  const result = await service.call('chat', request, { signal });
  if (!result.ok) return expect.fail('the stand-in does not fail');
  return result.reply.body as JsonObject;
}

function conversation(question: string, ...more: readonly JsonValue[]): ModelRequest {
  return { messages: [system, { role: 'user', content: question }, ...more], functions };
}

function hits(name: string, ...passages: readonly JsonValue[]): JsonValue {
  return { role: 'function', name, content: JSON.stringify(passages) };
}

const refund = { id: 'faq-3', title: 'Refund period', text: 'The refund period is thirty days.' };
const parking = { id: 'faq-9', title: 'Parking', text: 'Cars stay behind the house.' };

test('the function that the prompt names first is called first', async () => {
  const { function_call: call } = await answer(conversation('How long is the refund period?'));
  expect(call).toMatchObject({ name: 'faq_search' });
  expect(JSON.parse((call as { arguments: string }).arguments)).toMatchObject({
    query: expect.stringContaining('refund'),
  });
});

test('hits that answer are quoted, with a note that no model answered', async () => {
  const { content } = await answer(conversation('How long is the refund period?', hits('faq_search', parking, refund)));
  expect(content).toContain('faq-3');
  expect(content).toContain('thirty days');
  expect(content).toContain('offline stand-in');
});

test('hits that do not answer lead to the next function, then to an honest no', async () => {
  const question = 'How long is the refund period?';
  const next = await answer(conversation(question, hits('faq_search', parking)));
  expect(next['function_call']).toMatchObject({ name: 'guide_search' });
  const { content } = await answer(conversation(question, hits('faq_search', parking), hits('guide_search')));
  expect(content).toContain('Nothing that answers the question was found');
});

test('a greeting is answered without a search, in its language', async () => {
  expect(await answer(conversation('こんにちは'))).toMatchObject({ content: expect.stringContaining('こんにちは。') });
  expect(await answer(conversation('Thanks!'))).toMatchObject({ content: expect.stringContaining('You are welcome.') });
});

test('tools are called with an id; a chosen one is called', async () => {
  const tools = functions.map((one) => ({ type: 'function', function: one }));
  const messages = [system, { role: 'user', content: 'Where do cars stay?' }];
  const { tool_calls: calls } = await answer({
    messages,
    tools,
    tool_choice: { type: 'function', function: { name: 'guide_search' } },
  });
  expect(calls).toMatchObject([{ id: 'call_1', type: 'function', function: { name: 'guide_search' } }]);
});

test('JSON is given where JSON is asked for', async () => {
  const { content } = await answer({ ...conversation('Hello?'), response_format: { type: 'json_object' } });
  expect(JSON.parse(content as string)).toMatchObject({ offline: true });
});

test('an embedding is the same each time, of length one, nearer for words shared', async () => {
  const embed = async (input: string): Promise<readonly number[]> => {
    const result = await service.call('embedding', { input }, { signal });
    return result.ok ? (result.reply.body as readonly number[]) : [];
  };
  const dot = (left: readonly number[], right: readonly number[]): number =>
    left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
  const [one, same, near, far] = await Promise.all(
    ['refund period', 'refund period', 'period of a refund', 'garden party'].map(embed),
  );
  expect(one).toEqual(same);
  expect(one).toHaveLength(1024);
  expect(dot(one ?? [], one ?? [])).toBeCloseTo(1);
  expect(dot(one ?? [], near ?? [])).toBeGreaterThan(dot(one ?? [], far ?? []));
});
