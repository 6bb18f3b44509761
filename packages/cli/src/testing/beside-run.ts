import { createTestWorld } from './test-io.ts';
import { writeFiles } from './write-files.ts';

/** A flow in the folder `f`: its nodes, in flow style, or its `flow.flex.yaml`, and the files beside it. */
export interface SmallFlow {
  readonly nodes?: readonly string[];
  readonly flex?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Lines above `nodes`; by default each node is an output. */
  readonly above?: string;
}

/** What `flow check` tells of each flow, with its exit code and that of `flow run`, as one golden text. */
export async function besideRun(flows: Readonly<Record<string, SmallFlow>>): Promise<string> {
  const told: string[] = [];
  for (const [title, { nodes = [], flex, files = {}, above }] of Object.entries(flows)) {
    using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
    const list = nodes.map((node) => `- ${node}\n`).join('');
    const names = nodes.flatMap((node) => /name: (\w+)/.exec(node)?.[1] ?? []);
    const outputs = names.map((name) => `${name}: {type: string, reference: "\${${name}.output}"}`).join(', ');
    const dag = `${above ?? `outputs: {${outputs}}\n`}${list === '' ? '' : `nodes:\n${list}`}`;
    writeFiles(world.folder, {
      [flex === undefined ? 'f/flow.dag.yaml' : 'f/flow.flex.yaml']: flex ?? dag,
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`f/${path}`, text])),
    });
    const check = await world.flow('check', 'f');
    const run = await world.flow('run', 'f');
    told.push(`== ${title}: check ${check.code}, run ${run.code}\n${check.stdout.replaceAll(world.folder, '.')}`);
  }
  return told.join('\n');
}
