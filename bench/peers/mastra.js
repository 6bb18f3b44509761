// The three steps as a workflow of Mastra, which a second one runs for each row by `foreach`. Arguments: data, out; MODEL_URL.
import { readFileSync, writeFileSync } from 'node:fs';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import * as z from 'zod';

const [, , data, out] = process.argv;
const service = createOpenAICompatible({ name: 'mine', apiKey: 'k', baseURL: `${process.env.MODEL_URL}/v1` });
const agent = new Agent({
  id: 'asker',
  name: 'asker',
  instructions: 'Answer in one sentence.',
  model: service('gpt-4o-mini'),
});
const row = z.object({ question: z.string() });
const asked = z.object({ prompt: z.string() });
const answered = z.object({ answer: z.string() });
const checked = z.object({ answer: z.string(), ok: z.boolean() });
const render = createStep({
  id: 'render',
  inputSchema: row,
  outputSchema: asked,
  execute: async ({ inputData }) => ({ prompt: inputData.question }),
});
const ask = createStep({
  id: 'ask',
  inputSchema: asked,
  outputSchema: answered,
  execute: async ({ inputData }) => ({ answer: (await agent.generate(inputData.prompt)).text }),
});
const check = createStep({
  id: 'check',
  inputSchema: answered,
  outputSchema: checked,
  execute: async ({ inputData: { answer } }) => ({ answer, ok: answer.toLowerCase().includes('consent') }),
});
const one = createWorkflow({ id: 'one', inputSchema: row, outputSchema: checked })
  .then(render)
  .then(ask)
  .then(check)
  .commit();
const all = createWorkflow({ id: 'all', inputSchema: z.array(row), outputSchema: z.array(checked) })
  .foreach(one, { concurrency: 50 })
  .commit();
const inputData = readFileSync(data, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const { status, result = [] } = await (await all.createRun()).start({ inputData });
if (status !== 'success' || result.length !== inputData.length || !result.every(({ ok }) => ok))
  throw new Error(`rows failed: ${status}`);
writeFileSync(out, result.map((each) => `${JSON.stringify(each)}\n`).join(''));
