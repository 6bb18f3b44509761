import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { readPromptFlowCases, runPromptFlowCase } from '@unroll/promptflow/testing';
import { expect, test } from 'vitest';

/** Code that imports `promptflow.tools` where promptflow is not installed. */
const cases = readPromptFlowCases(join(import.meta.dirname, 'imported-tools-cases.jsonl'));
const hasJinja = spawnSync('python3', ['-c', 'import jinja2']).status === 0;

test.for(cases.filter(({ name }) => hasJinja || !name.startsWith('jinja')))('as Prompt flow: $name', async (given) => {
  const { requests, output, error, loadError } = given;
  expect(await runPromptFlowCase(given, nodeTypes({ extensions: [promptFlow()] }))).toEqual({
    requests,
    output,
    error,
    loadError,
  });
});
