import type { Values } from '@unroll/engine';
import { expect, test } from 'vitest';
import { offlineService } from './offline-service.ts';

const functions = [{ name: 'faq_search' }, { name: 'guideline_search' }];

async function answerTo(question: string): Promise<Values> {
  const messages = [{ role: 'user', content: question }];
  const result = await offlineService().call('chat', { messages, functions }, { signal: new AbortController().signal });
  if (!result.ok) throw new Error(result.error.message);
  return result.reply.body as Values;
}

test.for([
  'こんにちは',
  'ありがとうございました。',
  'お世話になっております',
  'Hello',
  'Hi there!',
  'Good morning, everyone',
])('"%s" is answered without a search', async (question) => {
  expect(await answerTo(question)).toEqual({ role: 'assistant', content: expect.any(String) });
});

test.for([
  'こんにちは、委託先に同意は要りますか',
  'Hi, what is consent?',
  'Hello. May we send data abroad?',
  '罰則はありますか',
])('"%s" is searched for', async (question) => {
  expect(await answerTo(question)).toMatchObject({ content: null, function_call: { name: 'faq_search' } });
});
