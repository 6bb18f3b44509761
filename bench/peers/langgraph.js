// The three steps as LangGraph's documentation writes a graph; all rows by `batch`. Arguments: data, out; MODEL_URL.
import { readFileSync, writeFileSync } from 'node:fs';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';

const [, , data, out] = process.argv;
const model = new ChatOpenAI({
  model: 'gpt-4o-mini',
  apiKey: 'k',
  configuration: { baseURL: `${process.env.MODEL_URL}/v1` },
});
const State = Annotation.Root({
  question: Annotation,
  prompt: Annotation,
  answer: Annotation,
  ok: Annotation,
});
const graph = new StateGraph(State)
  .addNode('render', ({ question }) => ({ prompt: `Answer in one sentence.\n${question}` }))
  .addNode('ask', async ({ prompt }) => ({ answer: (await model.invoke(prompt)).content }))
  .addNode('check', ({ answer }) => ({ ok: answer.toLowerCase().includes('consent') }))
  .addEdge(START, 'render')
  .addEdge('render', 'ask')
  .addEdge('ask', 'check')
  .addEdge('check', END)
  .compile();
const rows = readFileSync(data, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const results = await graph.batch(rows, { maxConcurrency: 50 });
if (results.length !== rows.length || !results.every(({ ok }) => ok === true)) throw new Error('rows failed');
writeFileSync(out, results.map((result) => `${JSON.stringify(result)}\n`).join(''));
