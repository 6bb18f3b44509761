import { appendFileSync, createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

/** The least a bulk run can be: plain undici, a pool of 50, one assertion, JSON lines appended 256 at a time. */
const [data = '', url = '', out = ''] = process.argv.slice(2);
interface Undici {
  readonly Pool: new (
    origin: string,
    options: { readonly connections: number },
  ) => {
    request(options: object): Promise<{
      readonly statusCode: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: { json(): Promise<unknown> };
    }>;
    close(): Promise<void>;
  };
}
const { Pool } = createRequire(new URL('../../packages/nodes/package.json', import.meta.url))('undici') as Undici;
const pool = new Pool(url, { connections: 50 });
const lines = createInterface({ input: createReadStream(data) })[Symbol.asyncIterator]();
let buffered: string[] = [];

interface Answer {
  readonly choices: readonly [{ readonly message: { readonly content: string } }];
  readonly usage: unknown;
}

async function ask(content: string): Promise<Answer> {
  const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer k' };
  for (;;) {
    const reply = await pool.request({ path: '/v1/chat/completions', method: 'POST', headers, body });
    const answer = (await reply.body.json()) as Answer;
    if (reply.statusCode === 200) return answer;
    await new Promise((resolve) => setTimeout(resolve, Number(reply.headers['retry-after-ms'] ?? 100)));
  }
}

async function slot(): Promise<void> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) return;
    const { question } = JSON.parse(value) as { readonly question: string };
    const startedAt = Date.now();
    const prompt = `Answer in one sentence.\n${question}`;
    const answer = await ask(prompt);
    const text = answer.choices[0].message.content;
    const ok = text.toLowerCase().includes('consent');
    buffered.push(JSON.stringify({ question, prompt, text, ok, usage: answer.usage, startedAt, endedAt: Date.now() }));
    if (buffered.length < 256) continue;
    appendFileSync(out, `${buffered.join('\n')}\n`);
    buffered = [];
  }
}

await Promise.all(Array.from({ length: 50 }, slot));
appendFileSync(out, `${buffered.join('\n')}\n`);
await pool.close();
