import { tmpdir } from 'node:os';
import { openProject } from '@unroll/project';
import { expect, test } from 'vitest';
import type { Ask } from './ask.d.ts';

const ask = openProject(import.meta.dirname, { runsFolder: `${tmpdir()}/runs` }).flow<Ask>('ask');
const scripted = { overrides: [{ node: 'answer', key: 'connection', value: 'scripted:replies.yaml' }] };

test.for([
  { question: 'May we?', status: 'Completed', answer: 'Yes, with their consent.' },
  { question: 'broken', status: 'Failed', answer: undefined },
])('what the model says to "$question" is what the flow gives', async ({ question, status, answer }) => {
  const row = await ask.run({ question }, scripted).result;
  expect([row.status, row.outputs.answer]).toEqual([status, answer]);
});

test('a recorded call is answered again', async () => {
  const row = await ask.run({ question: 'What is consent?' }, { cassette: { replay: 'ask/calls.yaml' } }).result;
  expect(row.outputs.answer).toContain('Received: What is consent?');
});
