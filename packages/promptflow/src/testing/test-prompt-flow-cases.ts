import { join } from 'node:path';
import { nodeTypes } from '@unroll/nodes';
import { expect, test } from 'vitest';
import { promptFlow } from '../prompt-flow.ts';
import { type PromptFlowCase, readPromptFlowCases, runPromptFlowCase } from './prompt-flow-case.ts';

/**
 * A test for each case that is recorded in a folder.
 *
 * @param own what stands in our answers and not in those of Prompt flow
 */
export function testPromptFlowCases(folder: string, own?: string): void {
  const cases = readPromptFlowCases(join(folder, 'prompt-flow-cases.jsonl'));
  const run = async (given: PromptFlowCase): Promise<object> => {
    const ran = await runPromptFlowCase(given, nodeTypes({ extensions: [promptFlow()] }));
    return own === undefined ? ran : JSON.parse(JSON.stringify(ran).replace(own, ''));
  };
  test.for(cases.filter(({ deviates }) => deviates === undefined))('as Prompt flow: $name', async (given) => {
    expect(await run(given)).toEqual(expectedOf(given));
  });
  test.for(cases.filter(({ deviates }) => deviates !== undefined))('another on purpose: $name', async (given) => {
    expect(await run(given)).not.toEqual(expectedOf(given));
  });
}

function expectedOf({ requests, output, error, loadError }: PromptFlowCase): object {
  return { requests, output, error, loadError };
}
