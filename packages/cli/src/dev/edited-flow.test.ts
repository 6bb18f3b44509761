import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redactor } from '@unroll/engine';
import { findServedFlow, type ProjectHost, serveFlow } from '@unroll/project';
import { expect, onTestFinished, test } from 'vitest';
import { EditedFlow } from './edited-flow.ts';

test('a file that is emptied behind its check, before it is opened, is not served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edited-flow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'say', 'flow.dag.yaml');
  mkdirSync(join(folder, 'say'));
  writeFileSync(file, 'outputs: {o: {type: string, reference: hi}}\nnodes: []\n');
  const host: ProjectHost = {
    folder,
    environment: {},
    redactor: new Redactor(),
    runsFolder: join(folder, 'runs'),
    now: () => 0,
    steadyNow: () => 0,
    randomText: () => 'a1b2',
    stdin: async function* () {},
    report: () => undefined,
  };
  const open = async () => {
    writeFileSync(file, '');
    return await serveFlow(findServedFlow('say', host), { recorded: 'none', overrides: [], environment: {} }, host);
  };
  await using flow = new EditedFlow({ name: 'say', open, watched: [], onChange: () => undefined, host });
  const { signal } = new AbortController();
  expect(await flow.load(signal)).toMatchObject({
    isRight: false,
    message: 'say/flow.dag.yaml has no nodes and no outputs',
  });
});
