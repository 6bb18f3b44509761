import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestFlow, runNode } from '../testing/test-flow.ts';

test('what code does at the exit of its thread is done once the flow is closed', async () => {
  await using beside = createTestFlow({});
  const told = join(beside.folder, 'told.txt');
  const flow = createTestFlow(
    {
      'n.ts': `import { appendFileSync } from 'node:fs';
const kept: string[] = [];
process.on('exit', (code) => appendFileSync(${JSON.stringify(told)}, [...kept, code].join(' ')));
setInterval(() => {}, 1000);
export default ({ x }: { x: string }) => kept.push(x);
`,
    },
    { inThreads: true },
  );
  const node = await flow.prepare('n.ts');
  for (const x of ['a', 'b']) await runNode(node, { x });
  await flow[Symbol.asyncDispose]();
  expect(readFileSync(told, 'utf8')).toBe('a b 0');
});

const badExits: readonly (readonly [string, string])[] = [
  ['throws', "throw new Error('at the exit')"],
  ['never ends', 'for (;;);'],
];

test.for(badExits)('code that %s at the exit of its thread holds nobody up', async ([, body]) => {
  await using flow = createTestFlow(
    { 'n.ts': `process.on('exit', () => { ${body} });\nexport default () => 1;\n` },
    { inThreads: true },
  );
  expect(await runNode(await flow.prepare('n.ts'))).toMatchObject({ output: 1 });
});
