import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const typescript = `import { readFileSync, writeFileSync } from 'node:fs';
export default ({ q }: { q: string }) => {
  if (q !== 'edit') return 'before';
  const own = new URL(import.meta.url).pathname;
  writeFileSync(own, readFileSync(own, 'utf8').replace("'before'", "'after'"));
  for (;;);
};
`;
const python = `import os
from promptflow.core import tool

@tool
def say(q: str) -> str:
    if q != "edit":
        return "before"
    with open(__file__) as own:
        text = own.read()
    with open(__file__, "w") as own:
        own.write(text.replace('"before"', '"after"'))
    os._exit(3)
`;

test.for([
  ['say.ts', typescript],
  ['say.py', python],
] as const)(
  'code that is edited while a run goes on, and loaded again where its thread or worker ended, is told: %s',
  async ([file, code]) => {
    using world = createTestWorld();
    writeFiles(world.folder, {
      'flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {said: {type: string, reference: "\${say.output}"}}
nodes:
  - {name: say, type: python, timeout: 1, source: {type: code, path: ${file}}, inputs: {q: "\${inputs.q}"}}
`,
      [file]: code,
      'rows.jsonl': ['first', 'edit', 'last'].map((q) => `${JSON.stringify({ q })}\n`).join(''),
    });
    const command = ['run', '.', '--data', 'rows.jsonl', '--concurrency', '1', '--name', 'mixed', '--quiet'];
    const { stderr } = await world.flow(...command);
    const told = `warning: ${file} was changed while the run went on: some rows ran the code from before, others the code from after`;
    expect(stderr.split('\n')).toContain(told);
    const { stdout } = await world.flow('export', 'mixed');
    expect(stdout.match(/before|after/g)).toEqual(['before', 'after']);
    const again = await world.flow('run', '.', '--data', 'rows.jsonl', '--rows', '0,2', '--quiet');
    expect(again.stderr).not.toContain('changed while');
  },
);
