import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { readPromptFlowCases, runPromptFlowCase } from '@unroll/promptflow/testing';
import { expect, test } from 'vitest';

const here = import.meta.dirname;
const cases = readPromptFlowCases(join(here, 'python-package-cases.jsonl'));
/** An installed package as Python sees it: a module, and what its installer wrote of it. */
const files = JSON.parse(readFileSync(join(here, 'probe-package.json'), 'utf8')) as Readonly<Record<string, string>>;

test.for(cases.filter(({ deviates }) => deviates === undefined))('as Prompt flow: $name', async (given) => {
  const { requests, output, error, loadError } = given;
  const found = await runPromptFlowCase(
    { ...given, files: { ...given.files, ...files } },
    nodeTypes({ extensions: [promptFlow()] }),
  );
  expect(found).toEqual({ requests, output, error, loadError });
});

test.for(cases.filter(({ deviates }) => deviates !== undefined))('another on purpose: $name', async (given) => {
  const { requests, output, error, loadError } = given;
  const found = await runPromptFlowCase(
    { ...given, files: { ...given.files, ...files } },
    nodeTypes({ extensions: [promptFlow()] }),
  );
  expect(found).not.toEqual({ requests, output, error, loadError });
});

test('a package tool that is not installed is told with those that are', async () => {
  const [given] = cases.filter(({ name }) => name === 'package unknown');
  if (given === undefined) throw new Error('bug: the case is gone');
  const { loadError } = await runPromptFlowCase(
    { ...given, files: { ...given.files, ...files } },
    nodeTypes({ extensions: [promptFlow()] }),
  );
  const listed = /All available package tools are: \[(.*)\]\.$/.exec(loadError?.message ?? '')?.[1];
  expect(listed?.split(', ')).toContain("'probe_tools.add'");
});
