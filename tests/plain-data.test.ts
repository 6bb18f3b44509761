import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkFlow, createFlowFiles, diagnosticJson, readSourceFile } from '@unroll/engine';
import { undefinedFields } from '@unroll/engine/testing';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '..');
const flows = globSync('{flows,tests,cases,packages/cli/templates}/**/flow*.dag.yaml', {
  cwd: project,
  exclude: (path) => path.includes('node_modules') || path.includes('.flow'),
}).sort();
const connections = { find: () => undefined, names: () => [] };

test('there are flows', () => {
  expect(flows.length).toBeGreaterThan(25);
});

test.for(flows)('what is known of %s is plain data: no field is there without a value', (path) => {
  const folder = join(project, dirname(path));
  const file = readSourceFile(join(folder, basename(path)), folder);
  const options = {
    nodeTypes: nodeTypes({ extensions: [promptFlow()] }),
    files: createFlowFiles(folder, folder),
    connections,
  };
  const { spec = null, plan = null, diagnostics } = checkFlow(file, options);
  expect(undefinedFields({ spec, plan, told: diagnostics.map(diagnosticJson) })).toEqual([]);
});
