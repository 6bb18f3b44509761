import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, openFlow } from '@unroll/engine';
import { expect, test } from 'vitest';
import { connectionTypes } from '../connections/connection-types.ts';
import { nodeTypes } from '../node-types.ts';
import { echoService } from './echo-service.fixture.ts';
import { modelServices, openModelService, serviceOpener } from './open-model-service.ts';

const flow = `
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${ask.output}"}
nodes:
  - name: ask
    type: llm
    source: {type: code, path: ask.jinja2}
    inputs: {q: "\${inputs.q}", model: any}
    connection: parrot
    api: chat
`;

test('a service is added by a file of its own and its row in the table', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-table-'));
  try {
    writeFileSync(join(folder, 'flow.dag.yaml'), flow);
    writeFileSync(join(folder, 'ask.jinja2'), 'user:\nSay {{ q }}\n');
    const openService = serviceOpener({ ...modelServices, echo: async () => echoService() });
    const parrot: Connection = { name: 'parrot', type: 'echo', configs: {}, secrets: {} };
    const { flow: opened, diagnostics } = await openFlow(
      { file: join(folder, 'flow.dag.yaml'), folder },
      {
        nodeTypes: nodeTypes({ openService }),
        connections: { find: () => parrot, names: () => ['parrot'] },
      },
    );
    if (opened === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '));
    await using running = opened;
    const { row } = await running.runRow({ q: 'polly' });
    expect(row).toMatchObject({ status: 'Completed', outputs: { answer: 'Say polly' } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.for(['serp', 'custom', 'toString', '__proto__', 'constructor'])(
  'a connection of type %s is no model',
  async (type) => {
    expect(await openModelService({ name: 'c', type, configs: {}, secrets: {} })).toBeUndefined();
  },
);

test('each type in the table is one that a connection may have, or one that is built in', () => {
  const written = Object.keys(modelServices).filter((type) => !['offline', 'scripted'].includes(type));
  expect(written.filter((type) => !(type in connectionTypes))).toEqual([]);
});
