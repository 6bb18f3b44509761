import { join } from 'node:path';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { readPromptFlowCases, runPromptFlowCase } from '@unroll/promptflow/testing';
import { expect, test } from 'vitest';

const cases = readPromptFlowCases(join(import.meta.dirname, 'prompt-flow-cases.jsonl'));

test.for(cases.filter(({ deviates }) => deviates === undefined))('as Prompt flow: $name', async (given) => {
  const { requests, output, error, loadError } = given;
  const expected = { requests, output, error, loadError };
  expect(await runPromptFlowCase(given, nodeTypes({ extensions: [promptFlow()] }))).toEqual(expected);
});

test.for(cases.filter(({ deviates }) => deviates !== undefined))('another on purpose: $name', async (given) => {
  const { requests, output, error, loadError } = given;
  expect(await runPromptFlowCase(given, nodeTypes({ extensions: [promptFlow()] }))).not.toEqual({
    requests,
    output,
    error,
    loadError,
  });
});
