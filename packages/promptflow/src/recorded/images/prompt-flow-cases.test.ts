import { join } from 'node:path';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { readPromptFlowCases, runPromptFlowCase } from '@unroll/promptflow/testing';
import { expect, test } from 'vitest';

const cases = readPromptFlowCases(join(import.meta.dirname, 'prompt-flow-cases.jsonl'));

test.for(cases)('as Prompt flow: $name', async (given) => {
  const { requests, output, error, loadError } = given;
  const expected = { requests, output, error, loadError };
  const ran = await runPromptFlowCase(given, nodeTypes({ extensions: [promptFlow()] }));
  expect(JSON.parse(JSON.stringify(ran).replace(ownReason, ''))).toEqual(JSON.parse(JSON.stringify(expected)));
});

/** Why an address was not asked, which Prompt flow does not say (docs/deviations.md). */
const ownReason = ' (it leads to no address of the public internet)';
