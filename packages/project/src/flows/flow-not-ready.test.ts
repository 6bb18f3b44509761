import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openProject } from '../library/open-project.ts';

const flow = `outputs: {o: {type: string, reference: "\${more.output}"}}
nodes:
  - {name: ask, type: llm, source: {type: code, path: ask.jinja2}, connection: nobody, api: chat, inputs: {model: m}}
  - {name: more, type: prompt, source: {type: code, path: gone.jinja2}, inputs: {said: "\${ask.output}"}}
`;
const evaluation = 'flow: flow.dag.yaml\ndata: rows.jsonl\nmetrics:\n  - {name: right, on: outputs.o}\n';

function world(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'not-ready-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return openProject(folder, { runsFolder: join(folder, 'runs') });
}

test('the error of a flow that cannot run says in its message what is wrong, all of it, with places', async () => {
  const project = world({ 'flow.dag.yaml': flow, 'ask.jinja2': 'user:\nHello\n' });
  const error: unknown = await project.runRow('.', {}).result.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'FlowNotReady', code: 'FlowNotReady' });
  expect(String(error)).toMatch(/^FlowNotReady: the flow cannot run\nflow\.dag\.yaml:3:\d+ error .*nobody/);
  expect(String(error)).toMatch(/\nflow\.dag\.yaml:4:\d+ error .*gone\.jinja2[\s\S]*\n2 errors$/);
});

test('the error of an evaluation that cannot be made says so too', async () => {
  const project = world({ 'flow.dag.yaml': 'nodes: []\n', 'eval.yaml': evaluation, 'rows.jsonl': '{}\n' });
  const error: unknown = await project.evaluate('eval.yaml').result.catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(
    /^EvaluationNotReady: the evaluation eval\.yaml cannot be made\neval\.yaml:4:5 error EVAL_MISSING_KEY/,
  );
});
