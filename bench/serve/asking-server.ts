import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/**
 * The least that asks a model for each question: hono, and the client named first, `openai` with its own fetch or plain `undici`.
 * The address of the model's API comes second. Prints its own.
 */
const [, , client = '', base = ''] = process.argv;
const nodes = createRequire(new URL('../../packages/nodes/package.json', import.meta.url));

type Ask = (question: string) => Promise<string>;
interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string | null } }[];
}

type Request = ReturnType<typeof requestOf>;
/** As much as is used of both packages. */
interface OpenAiPackage {
  readonly OpenAI: new (
    options: object,
  ) => { readonly chat: { readonly completions: { create(request: Request): Promise<Completion> } } };
}
interface UndiciPackage {
  readonly default: {
    request(url: string, options: object): Promise<{ readonly body: { json(): Promise<unknown> } }>;
  };
}

const textOf = ({ choices }: Completion): string => choices[0]?.message.content ?? '';
const requestOf = (content: string) => ({ model: 'm', messages: [{ role: 'user' as const, content }] });

async function load<Package>(name: string): Promise<Package> {
  return (await import(pathToFileURL(nodes.resolve(name)).href)) as Package;
}

async function byOpenAi(): Promise<Ask> {
  const { OpenAI } = await load<OpenAiPackage>('openai');
  const openai = new OpenAI({ apiKey: 'none', baseURL: base, maxRetries: 0 });
  return async (question) => textOf(await openai.chat.completions.create(requestOf(question)));
}

async function byUndici(): Promise<Ask> {
  const { default: undici } = await load<UndiciPackage>('undici');
  return async (question) => {
    const { body } = await undici.request(`${base}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
      body: JSON.stringify(requestOf(question)),
    });
    return textOf((await body.json()) as Completion);
  };
}

const ask = await (client === 'openai' ? byOpenAi() : byUndici());
const app = new Hono();
app.post('/score', async (context) => {
  const { question } = await context.req.json<{ readonly question: string }>();
  return context.json({ answer: await ask(question) });
});
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
