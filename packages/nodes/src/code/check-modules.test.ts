import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlowFiles, type InspectedNode } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { checkModules } from './check-modules.ts';

test.skipIf(process.platform === 'win32')(
  'what is imported is checked in a folder with a backslash in its name too',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'check-modules-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'a\\b'));
    writeFileSync(join(folder, 'a\\b/one.ts'), "import { two } from './two.ts';\nexport default () => two;\n");
    writeFileSync(join(folder, 'a\\b/two.ts'), 'export const two = ;\n');
    const source = { type: 'code', path: 'a\\b/one.ts' };
    const node = { definition: { type: 'python', source, inputs: {} }, inspection: {} } as unknown as InspectedNode;
    const found = checkModules([node], createFlowFiles(folder, folder));
    expect(found.map(({ code, span }) => [code, span?.file.path])).toEqual([['CODE_SYNTAX', 'a\\b/two.ts']]);
  },
);

const takes = (name: string): string =>
  `the function takes "${name}" for one input, and is handed an object of all inputs`;

test.for<readonly [text: string, inputs: readonly string[], told: readonly (string | undefined)[]]>([
  ['export function n(q: string) {}', ['q'], [takes('q'), 'write ({ q }: { q: string })']],
  [
    'export default async (a: number[], b: number = 2) => a;',
    ['a', 'b'],
    [takes('a'), 'write ({ a, b }: { a: number[]; b: number })'],
  ],
  ['export function add(a, b) { return a + b; }', ['a', 'b'], [takes('a'), 'write ({ a, b })']],
  ['export function n(q, context) { return q.toUpperCase(); }', ['q'], [takes('q'), 'write ({ q })']],
  ['export function n(text: string) {}', ['q'], [takes('text'), 'write ({ text }: { text: string })']],
  ['export default function n(q: Inputs) {}', ['q'], []],
  ['export default function n(inputs) { return inputs.q; }', ['q'], []],
  ['export default function n(state) { return state.state; }', ['state'], []],
  ['export default function n(q) { const { q: own } = q; return own; }', ['q'], []],
  ['export default function n(q) { return q["q"]; }', ['q'], []],
  ['export default function n({ q }: { q: string }) {}', ['q'], []],
  ['export default function n() {}', ['q'], []],
  ['export default functionNode({ n: (q: string) => q });', ['q'], []],
])('%s of the inputs %j', ([text, inputs, told]) => {
  const folder = mkdtempSync(join(tmpdir(), 'check-modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'n.ts'), text);
  const definition = {
    type: 'python',
    source: { type: 'code', path: 'n.ts' },
    inputs: Object.fromEntries(inputs.map((one) => [one, {}])),
  };
  const found = checkModules(
    [{ definition, inspection: {} } as unknown as InspectedNode],
    createFlowFiles(folder, folder),
  );
  expect(found.flatMap(({ message, help }) => [message, help])).toEqual(told);
});
