import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, editedWorld } from '../testing/edited-world.ts';
import { startFlow } from '../testing/flow-process.ts';
import { writeFiles } from '../testing/write-files.ts';

const code = `inputs:
  name: {type: string}
outputs:
  greeting: {type: string, reference: "\${greet.output}"}
nodes:
- {name: greet, type: python, source: {type: code, path: greet.ts}, inputs: {name: "\${inputs.name}"}}
`;
const greets = 'export default ({ name }: { name: string }) => `Hello ${name}`;\n';

const says = "import { writeSync } from 'node:fs';\nwriteSync(2, 'importing\\n');\n";
const served = 'greet: 1 node, served\n';

test('code whose import never ends is given up for the text that follows it, and for the end', {
  timeout: 60_000,
}, async () => {
  const files = { 'greet/flow.dag.yaml': code, 'greet/greet.ts': greets };
  await using world = await editedWorld('greet', files);
  await world.edit({ 'greet/greet.ts': `${says}for (;;) {}\n${greets}` }, 'importing');
  await world.edit({ 'greet/greet.ts': greets.replace('Hello', 'Good day') }, served, 2);
  expect(world.process.text()).toContain('greet: cannot be served; the version before is served on\n');
  expect(await ask(world.url, { name: 'Ada' })).toEqual({ greeting: 'Good day Ada' });
  await world.edit({ 'greet/greet.ts': `${says}await new Promise(() => {});\n${greets}` }, 'importing', 2);
  expect(await world.end()).toMatchObject({ code: 0, signal: null });
});

test.for(['serve', 'dev'])('flow %s ends when it is told to while code is imported without end', async (command) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-begun-')));
  writeFiles(folder, { 'greet/flow.dag.yaml': code, 'greet/greet.ts': `${says}for (;;) {}\n${greets}` });
  const started = startFlow([command, 'greet', '--port', '0'], { folder });
  await started.said('importing');
  started.child.kill('SIGTERM');
  expect(await started.ended).toMatchObject({ code: 0, signal: null });
  rmSync(folder, { recursive: true, force: true });
});
