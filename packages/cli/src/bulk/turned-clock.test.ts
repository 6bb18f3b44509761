import { expect, test } from 'vitest';
import { createTestWorld, testNow } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

test.for([-3_600_000, 86_400_000])(
  'a run takes as long as it takes, though the time of day is turned by %i ms meanwhile',
  async (by) => {
    let looks = 0;
    let time = 0;
    using world = createTestWorld({ now: () => testNow + looks++ * by, steadyNow: () => (time += 10) });
    writeFiles(world.folder, {
      'f/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {o: {type: string, reference: "\${a.output}"}}
nodes: [{name: a, type: python, source: {type: code, path: a.js}, inputs: {q: "\${inputs.q}"}}]
`,
      'f/a.js': 'export default ({ q }) => q;\n',
      'd.jsonl': '{"q": "1"}\n{"q": "2"}\n',
    });
    const { code, stderr, stdout } = await world.flow('run', 'f', '--data', 'd.jsonl');
    expect([code, `${stdout}${stderr}`.match(/^completed in \d+ ms, 2 rows completed$/m)?.length]).toEqual([0, 1]);
  },
);
