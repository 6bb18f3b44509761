import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countingWorld } from '../testing/counting-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

test('Mermaid, the loop folded to one pair with an arrow back', async () => {
  using world = countingWorld();
  const { code, stdout, stderr } = await world.flow('graph', 'counting');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "flowchart TD
      input_goal(["goal"])
      input_label(["label"])
      node_start["start<br/><small>python · start.ts</small>"]
      node_say["say<br/><small>python · say.ts</small>"]
      output_result(["result"])
      subgraph loop_count["count: at most 3 times, until finished"]
        node_count_look["look<br/><small>python · look.ts</small>"]
        node_count_step["step<br/><small>python · step.ts</small>"]
        node_count["count<br/><small>loop</small>"]
      end
      input_goal --> node_start
      node_start -.->|"if finished = false"| node_count_look
      node_start --> node_count_step
      node_count_look --> node_count_step
      node_count_step --> node_count
      node_count --> node_say
      input_label --> node_say
      node_count_step ==>|"×3"| node_count_look
      node_say --> output_result
      classDef io fill:#e5e7eb,stroke:#6b7280,color:#111827
      class input_goal,input_label,output_result io
      classDef python fill:#dbeafe,stroke:#2563eb,color:#172554
      class node_start,node_count_look,node_count_step,node_say python
      classDef loop fill:#fce7f3,stroke:#db2777,color:#500724
      class node_count loop
    "
  `);
});

test('unfolded: every iteration in its box, the guards dashed', async () => {
  using world = countingWorld();
  const { stdout } = await world.flow('graph', 'counting', '--unfolded', '--direction', 'right');
  expect(stdout.split('\n')[0]).toBe('flowchart LR');
  expect(stdout).toContain('subgraph loop_count_2["2"]');
  expect(stdout.match(/node_\w+ -\.->\|"if finished = false"\| node_\w+/g)).toEqual([
    'node_start -.->|"if finished = false"| node_look_1',
    'node_step_1 -.->|"if finished = false"| node_look_2',
    'node_step_2 -.->|"if finished = false"| node_look_3',
  ]);
  expect(stdout).not.toContain('==>');
});

test('SVG: one file, every box in the picture, nothing from elsewhere', async () => {
  using world = countingWorld();
  const said = await world.flow('graph', 'counting', '--svg', 'out.svg', '--unfolded');
  expect(said).toEqual({ code: 0, stdout: '', stderr: 'out.svg written\n' });
  const svg = readFileSync(join(world.folder, 'out.svg'), 'utf8');
  expect(svg).not.toMatch(/<script|href=|url\(http|NaN|undefined/);
  const [, width = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
  const boxes = [...svg.matchAll(/<rect class="box" x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"/g)];
  expect(boxes).toHaveLength(2 + 9 + 1);
  for (const [, x, y, w, h] of boxes.map((box) => box.map(Number))) {
    expect([(x ?? -1) >= 0, (y ?? -1) >= 0]).toEqual([true, true]);
    expect([(x ?? 0) + (w ?? 0) <= width, (y ?? 0) + (h ?? 0) <= height]).toEqual([true, true]);
  }
});

test('--out with a name that ends in .svg writes an SVG picture too', async () => {
  using world = countingWorld();
  await world.flow('graph', 'counting', '--out', 'out.svg');
  expect(readFileSync(join(world.folder, 'out.svg'), 'utf8')).toMatch(/^<svg /);
});

test('a condition on a whole number of any size', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {}
nodes:
- {name: a, type: python, source: {type: code, path: a.ts}, inputs: {}, activate: {when: "\${inputs.n}", is: 12345678901234567890}}
`,
    'f/a.ts': 'export const a = () => 1;\n',
  });
  const { code, stdout } = await world.flow('graph', 'f');
  expect(code).toBe(0);
  expect(stdout).toContain('12345678901234567890');
});

test('coloured by a run', async () => {
  using world = countingWorld();
  await world.flow('run', 'counting', '--input', 'goal=2');
  const { stdout } = await world.flow('graph', 'counting', '--run', 'latest');
  expect(stdout).toContain('class node_count_look Stepped\n');
  expect(stdout).toContain('class node_start,node_count_step,node_count,node_say Completed\n');
  const svg = (await world.flow('graph', 'counting', '--run', 'latest', '--svg', '--unfolded')).stdout;
  expect(svg.match(/<g class="(\w+)"><title>look_\d[^<]*/g)).toEqual([
    '<g class="Completed"><title>look_1 (python · look.ts), Completed',
    '<g class="Completed"><title>look_2 (python · look.ts), Completed',
    '<g class="Bypassed"><title>look_3 (python · look.ts), Bypassed',
  ]);
});

test('as JSON: boxes, arrows and the groups around them', async () => {
  using world = countingWorld();
  const { code, stdout } = await world.flow('graph', 'counting', '--json');
  const { boxes, arrows, groups } = JSON.parse(stdout);
  expect([code, boxes.length, groups.length]).toEqual([0, 8, 1]);
  expect(boxes).toContainEqual(expect.objectContaining({ id: 'node.count.look', type: 'python', group: groups[0].id }));
  expect(arrows).toContainEqual({ from: 'input.goal', to: 'node.start', kind: 'data' });
  const both = await world.flow('graph', 'counting', '--json', '--svg');
  expect([both.code, both.stderr]).toEqual([
    2,
    'error: a graph is printed as JSON or as SVG\nLeave --json or --svg out.\n',
  ]);
});

test('a flow that would not run is drawn, and that it has mistakes is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `nodes:
- {name: a, type: python, source: {type: code, path: missing.ts}}
`,
  });
  const { code, stdout, stderr } = await world.flow('graph', 'f');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'note: the flow is drawn, but would not run as it stands, for 1 mistake: flow check f\n',
  });
  expect(stdout).toContain('node_a');
});
