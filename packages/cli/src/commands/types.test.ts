// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = `inputs:
  質問: {type: string, description: "what is asked */ here"}
  top k: {type: int}
  ratio: {type: double, default: 0.5}
  isLong: {type: bool, default: false}
  history: {type: list, default: []}
  options: {type: object}
  photo: {type: image}
  kind: {type: string, enum: [short, long]}
  anything: {type: MyClass}
  key: {type: secret, default: null}
outputs:
  答え: {type: string, reference: "\${inputs.質問}"}
  count: {type: int, reference: "\${inputs.top k}"}
  picture: {type: image, reference: "\${inputs.photo}"}
  all: {type: list, reference: "\${inputs.history}"}
nodes: []
`;

test('inputs and outputs of every type, by their names', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { '個人情報-agent/flow.dag.yaml': flow });
  const { code, stdout } = await world.flow('types', '個人情報-agent');
  expect(code).toBe(0);
  expect(stdout).toBe(`// Written by flow types: write it again when the inputs or outputs of the flow change.
import type { FlowImage, Json } from '@unroll/project';

/** What the flow 個人情報-agent is given, and what it gives. */
export interface 個人情報Agent {
  readonly inputs: {
    /** what is asked *\\/ here */
    readonly 質問: string;
    readonly 'top k': number;
    readonly ratio?: number;
    readonly isLong?: boolean;
    readonly history?: readonly Json[];
    readonly options: { readonly [key: string]: Json };
    readonly photo: FlowImage;
    readonly kind: 'short' | 'long';
    readonly anything: Json;
    readonly key: string;
  };
  readonly outputs: {
    readonly 答え: string | null;
    readonly count: number | null;
    readonly picture: Json;
    readonly all: readonly Json[] | null;
  };
}
`);
  const file = ['types', '個人情報-agent', '--output', 'types/agent.d.ts'];
  expect(await world.flow(...file)).toMatchObject({ code: 0, stdout: '', stderr: 'types/agent.d.ts written\n' });
  expect(readFileSync(join(world.folder, 'types/agent.d.ts'), 'utf8')).toBe(stdout);
  expect((await world.flow('types', '個人情報-agent', '--output', '-')).stdout).toBe(stdout);
});

test('a flow that cannot be read has no types', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'x/flow.dag.yaml': 'inputs: [\n' });
  expect(await world.flow('types', 'x')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('x/flow.dag.yaml:'),
  });
});

test('the same as JSON schemas', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'f/flow.dag.yaml': flow });
  const { code, stdout } = await world.flow('types', 'f', '--json');
  const { inputs, outputs } = JSON.parse(stdout);
  expect([code, inputs.required, inputs.properties['top k'], inputs.properties.ratio]).toEqual([
    0,
    ['質問', 'top k', 'options', 'photo', 'kind', 'anything', 'key'],
    { type: 'integer' },
    { type: 'number', default: 0.5 },
  ]);
  expect(Object.keys(outputs.properties)).toEqual(['答え', 'count', 'picture', 'all']);
});
