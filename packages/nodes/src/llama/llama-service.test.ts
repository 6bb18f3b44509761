import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue, ModelRequest, ModelResult, ModelService } from '@unroll/engine';
import { afterAll, describe, expect, test } from 'vitest';
import { tinyGguf } from '../testing/tiny-gguf.ts';
import { llamaService } from './llama-service.ts';

/** Where node-llama-cpp is installed for tests: it is looked for where a flow is run. */
const installed = join(import.meta.dirname, '../../../cli');

const models = mkdtempSync(join(tmpdir(), 'llama-'));
writeFileSync(join(models, 'tiny.gguf'), tinyGguf());
afterAll(() => rmSync(models, { recursive: true }));

function serviceIn(folder: string, configs: Readonly<Record<string, string>> = {}): ModelService {
  const model = join(models, 'tiny.gguf');
  return llamaService(
    {
      name: 'local',
      type: 'llama_cpp',
      configs: { model, threads: '1', context_size: '512', ...configs },
      secrets: {},
    },
    folder,
  );
}

function ask(service: ModelService, request: ModelRequest): Promise<ModelResult> {
  const messages = [{ role: 'user', content: 'which tool' }];
  return service.call('chat', { messages, ...request }, { signal: new AbortController().signal });
}

function said(result: ModelResult): JsonValue | undefined {
  if (!result.ok) throw new Error(result.error.message);
  return (result.reply.body as { readonly content: JsonValue }).content;
}

describe('a model of random weights', () => {
  const service = serviceIn(installed);
  const names = ['get_order', 'get_orders', 'get_offer', '<<weather&&now>>'];

  test('says one of the names and nothing else, at any temperature', async () => {
    for (const temperature of [0, 1.5]) {
      const result = await ask(service, { temperature, seed: 7, structured_outputs: { choice: names } });
      expect(names).toContain(said(result));
      expect(result).toMatchObject({ ok: true, reply: { usage: { promptTokens: expect.any(Number) } } });
    }
  }, 120_000);

  test('says one of 46,000 names, and again by the grammar that is there', async () => {
    const many = Array.from(
      { length: 46_000 },
      (_, at) => `${at % 2 === 0 ? 'get' : 'list'}_${(at * 7919) % 100_003}_of_${at % 49}`,
    );
    const offered = new Set(many);
    for (const seed of [1, 2, 3]) {
      const text = said(await ask(service, { temperature: 1.5, seed, structured_outputs: { choice: many } }));
      expect(offered.has(String(text))).toBe(true);
    }
  }, 120_000);

  test('says what a JSON Schema lets it say', async () => {
    const schema = { type: 'object', properties: { action: { type: 'string', enum: names } }, required: ['action'] };
    const text = said(await ask(service, { response_format: { type: 'json_schema', json_schema: { schema } } }));
    expect(names).toContain((JSON.parse(String(text)) as { readonly action: string }).action);
  }, 120_000);
});

test.for([
  [{ tools: [{}] }, 'a connection of type llama_cpp takes no tools; hold the answer by structured_outputs'],
  [{ functions: [{}] }, 'a connection of type llama_cpp takes no functions; hold the answer by structured_outputs'],
] as const)('refused: %j', async ([request, message]) => {
  expect(await ask(serviceIn(models), request as unknown as ModelRequest)).toMatchObject({
    ok: false,
    error: { message },
  });
});

test('without the package the answer says what to install', async () => {
  expect(await ask(serviceIn(models), {})).toEqual({
    ok: false,
    error: {
      code: 'LlamaError',
      message:
        'a connection of type llama_cpp needs the package node-llama-cpp; install it: npm install node-llama-cpp@3',
      retryable: false,
    },
  });
});

test('a picture is no question without it', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } };
  const content = [{ type: 'text', text: 'What is it?' }, image];
  expect(await ask(serviceIn(models), { messages: [{ role: 'user', content }] })).toEqual({
    ok: false,
    error: {
      code: 'LlamaRequest',
      message: 'a part of a message is of type image_url: a connection of type llama_cpp takes texts alone',
      retryable: false,
    },
  });
});

test.for([
  [{ stop: ['.'] }, 'stop: hold the answer by structured_outputs, or cut it in the node behind it'],
  [
    { response_format: { type: 'json_object' } },
    'response_format: write its schema: {type: json_schema, json_schema: {…}}',
  ],
] as const)('what it would not be asked with is refused: %j', async ([settings, told]) => {
  const messages = [{ role: 'user', content: 'Hello' }];
  expect(await ask(serviceIn(models), { messages, ...settings } as unknown as ModelRequest)).toMatchObject({
    ok: false,
    error: { code: 'LlamaRequest', message: `a connection of type llama_cpp knows no ${told}` },
  });
});
