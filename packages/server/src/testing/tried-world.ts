import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { type ViewedWorld, viewFolder } from './viewed-world.ts';

export const flow = `# What people ask.
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${tidy.output}"}
nodes:
- {name: look, type: python, source: {type: code, path: look.mjs}, inputs: {q: "\${inputs.q}"}}
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs:
    model: m # the small one
    temperature: 0.5
    q: "\${inputs.q}"
    found: "\${look.output}"
- {name: tidy, type: python, source: {type: code, path: tidy.mjs}, inputs: {text: "\${ask.output}"}}
`;

/** `look` counts its calls in a file: whoever runs it leaves a trace. */
const files = (url: string): Readonly<Record<string, string>> => ({
  'ask/flow.dag.yaml': flow,
  'ask/ask.jinja2': 'system:\nBe brief.\n\nuser:\n{{ found }}\n{{ q }}\n',
  'ask/look.mjs': `import { appendFileSync } from 'node:fs';
export function look({ q }) {
  appendFileSync(new URL('calls.txt', import.meta.url), 'x');
  return 'found ' + q.length;
}
`,
  'ask/tidy.mjs': 'export function tidy({ text }) {\n  return text.trim();\n}\n',
  'ask/rows.jsonl': '{"q": "one"}\n{"q": "second"}\n{"q": "the third"}\n',
  'connections.yaml': `mine: {type: open_ai, api_key: a-very-secret-key, base_url: "${url}/v1"}\n`,
});

export async function triedWorld(replies: readonly string[], isReadOnly = false) {
  const model = await startOpenAiServer(replies.map((content) => ({ message: { content } })));
  const viewed = await viewFolder({ isReadOnly, more: files(model.url) });
  await viewed.project.runDataset('ask', { data: 'ask/rows.jsonl', name: 'base', concurrency: 1 }).result;
  return {
    ...{ model, viewed },
    calls: () => readFileSync(join(viewed.folder, 'ask/calls.txt'), 'utf8').length,
    [Symbol.asyncDispose]: async () => {
      await viewed[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

export const three = ['first', 'second', 'third'];
export const asked = { run: 'base', line: 1, node: 'ask' };
export const prompt = (text: string) => ({ files: { 'ask.jinja2': text } });
export const shorter = 'system:\nBe very brief.\n\nuser:\n{{ found }}\n{{ q }}\n';

export async function post<T>(viewed: ViewedWorld, path: string, body: object): Promise<{ status: number; said: T }> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await viewed.ask(`playground/${path}`, init);
  return { status: answer.status, said: (await answer.json()) as T };
}
