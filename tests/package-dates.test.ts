import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';

/** A package of tools of somebody's own, as pip lays it out. */
const installed = {
  'packages/daytools/__init__.py': '',
  'packages/daytools/tools.py': `def listed():
    inputs = {"text": {"type": ["string"]}, "day": {"type": ["object"]}, "days": {"type": ["list"]}}
    tool = {"name": "ask", "type": "python", "module": "daytools.tools", "function": "ask", "inputs": inputs}
    return {"daytools.tools.ask": tool}

def ask(text, day, days, other):
    return [repr(one) for one in (text, day, days, other)]
`,
  'packages/daytools-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: daytools\nVersion: 1.0\n',
  'packages/daytools-1.0.dist-info/entry_points.txt': '[package_tools]\ndays = daytools.tools:listed\n',
};

test('a tool of a package is given the dates that a flow writes, as promptflow 1.18.5 gives them', {
  timeout: 120_000,
}, async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    ...installed,
    'ask/flow.dag.yaml': `environment_variables: {PYTHONPATH: ${JSON.stringify(`${world.folder}/packages`)}}
outputs: {o: {type: list, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: python
  source: {type: package, tool: daytools.tools.ask}
  inputs: {text: 2024-01-01, day: 2024-01-02, days: [2024-01-03], other: 2024-01-04}
`,
  });
  const { stdout, stderr } = await world.flow('run', 'ask', '--json');
  expect({ stderr, outputs: JSON.parse(stdout || '{}').outputs }).toEqual({
    stderr: '',
    outputs: {
      o: ["'2024-01-01'", 'datetime.date(2024, 1, 2)', '[datetime.date(2024, 1, 3)]', 'datetime.date(2024, 1, 4)'],
    },
  });
});
