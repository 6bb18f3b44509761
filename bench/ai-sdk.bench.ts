import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateText, type LanguageModel } from 'ai';
import { modelOpener } from '../packages/nodes/src/index.ts';
import { compare, printComparison } from './compare.ts';
import { ownCpuSeconds } from './process.ts';

/** CPU of one call of Claude through its provider: the AI SDK's own `generateText`, and our model service. */
const calls = 400;
const atOnce = 20;

const server = spawn(process.execPath, [join(import.meta.dirname, 'ai-sdk-server.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = (await once(server.stdout, 'data')) as [Buffer];
const baseURL = line.toString().trim();

interface Package {
  createAnthropic(settings: object): (id: string) => LanguageModel;
}
const nodes = createRequire(new URL('../packages/nodes/package.json', import.meta.url));
const { createAnthropic } = (await import(pathToFileURL(nodes.resolve('@ai-sdk/anthropic')).href)) as Package;
const theirs = createAnthropic({ apiKey: 'k', baseURL })('claude-sonnet-4-5');
const connection = { name: 'c', type: 'anthropic', configs: { base_url: baseURL }, secrets: { api_key: 'k' } };
const ours = await modelOpener([import.meta.dirname])(connection);
if (ours === undefined) throw new Error('bug: a connection to Claude is a model');

const system = 'Answer in one sentence.';
const question = `How long do refunds take? ${'Some context. '.repeat(40)}`;
const request = {
  model: 'claude-sonnet-4-5',
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ],
  max_tokens: 100,
  temperature: 0,
};
const { signal } = new AbortController();

async function askTheirs(): Promise<void> {
  const { text } = await generateText({
    model: theirs,
    system,
    prompt: question,
    maxOutputTokens: 100,
    temperature: 0,
    maxRetries: 0,
  });
  if (text === '') throw new Error('no answer');
}

async function askOurs(): Promise<void> {
  const result = await ours?.call('chat', request, { signal });
  if (result?.ok !== true) throw new Error('no answer');
}

/** Microseconds of CPU a call. */
async function measure(ask: () => Promise<void>): Promise<number> {
  const before = ownCpuSeconds();
  for (let done = 0; done < calls; done += atOnce) await Promise.all(Array.from({ length: atOnce }, ask));
  return ((ownCpuSeconds() - before) / calls) * 1e6;
}

const comparisons = await compare(
  [
    { name: 'generateText of the AI SDK', measure: () => measure(askTheirs) },
    { name: 'ours', measure: () => measure(askOurs) },
  ],
  15,
);
printComparison('one call of Claude through its provider, CPU', 'µs', comparisons);
server.kill();
