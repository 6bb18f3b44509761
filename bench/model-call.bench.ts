import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { modelOpener } from '../packages/nodes/src/index.ts';
import { withModelServer } from './bulk/with-model-server.ts';
import { compare, printComparison } from './compare.ts';
import { ownCpuSeconds } from './process.ts';

/**
 * CPU of one chat call of a service of OpenAI's format on the loopback interface: undici's `request` with nothing round it, the `openai`
 * package with undici's `fetch`, and our model service, which asks through that package.
 */
const calls = 1600;
const atOnce = 16;

interface Undici {
  readonly Agent: new () => {
    request(options: object): Promise<{ readonly statusCode: number; readonly body: { json(): Promise<unknown> } }>;
    close(): Promise<void>;
  };
  readonly fetch: typeof globalThis.fetch;
}
type OpenAi = Pick<typeof import('../packages/nodes/node_modules/openai/index.js'), 'OpenAI'>;
const nodes = createRequire(new URL('../packages/nodes/package.json', import.meta.url));
const { Agent, fetch } = nodes('undici') as Undici;
const { OpenAI } = (await import(pathToFileURL(nodes.resolve('openai')).href)) as OpenAi;

const request = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user' as const, content: `May we mail our customers? ${'Some context. '.repeat(40)}` }],
  temperature: 0,
};
const { signal } = new AbortController();

/** Microseconds of CPU a call. */
async function measure(ask: () => Promise<unknown>): Promise<number> {
  const before = ownCpuSeconds();
  for (let done = 0; done < calls; done += atOnce) {
    const answers = await Promise.all(Array.from({ length: atOnce }, ask));
    if (answers.includes(undefined)) throw new Error('no answer');
  }
  return ((ownCpuSeconds() - before) / calls) * 1e6;
}

await withModelServer({}, async (url) => {
  const agent = new Agent();
  const headers = { 'content-type': 'application/json', authorization: 'Bearer k' };
  const plain = async (): Promise<unknown> => {
    const path = '/v1/chat/completions';
    const answer = await agent.request({ origin: url, path, method: 'POST', headers, body: JSON.stringify(request) });
    return await answer.body.json();
  };
  const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0, logLevel: 'off', fetch });
  const theirs = (): Promise<unknown> => client.chat.completions.create(request, { signal });
  const connection = { name: 'c', type: 'open_ai', configs: { base_url: `${url}/v1` }, secrets: { api_key: 'k' } };
  const service = await modelOpener([import.meta.dirname])(connection);
  const ours = async (): Promise<unknown> => {
    const result = await service?.call('chat', request, { signal });
    return result?.ok === true ? result : undefined;
  };
  const comparisons = await compare(
    [
      { name: "floor: undici's request", measure: () => measure(plain) },
      { name: "the openai package, undici's fetch", measure: () => measure(theirs) },
      { name: 'our model service', measure: () => measure(ours) },
    ],
    9,
  );
  printComparison('one chat call of the OpenAI format, CPU', 'µs', comparisons);
  await agent.close();
});
