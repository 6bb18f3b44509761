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
    const node = { definition: { type: 'python', source }, inspection: {} } as unknown as InspectedNode;
    const found = checkModules([node], createFlowFiles(folder, folder));
    expect(found.map(({ code, span }) => [code, span?.file.path])).toEqual([['CODE_SYNTAX', 'a\\b/two.ts']]);
  },
);
