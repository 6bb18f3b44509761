// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFlow, createFlowFiles, diagnosticJson, formatDiagnostics, toSarif } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../flows/privacy-agent');
const files = createFlowFiles(folder, folder);
const types = nodeTypes({ extensions: [promptFlow()] });
const connections = { find: () => undefined, names: () => ['offline'] };
const sound = readFileSync(join(folder, 'flow.dag.yaml'), 'utf8').split('\n');

const strange = [
  '[]',
  '{}',
  'null',
  '12',
  '- a',
  '${agent.output}',
  '${inputs.}',
  '${',
  'name: loop',
  'times: -1',
  '\t',
  '&a',
  '*a',
  '<<: *a',
  '!!x',
  '|',
  'nodes:',
];

/** A stream of numbers that is the same every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
}

function spoiled(seed: number): string {
  const next = numbers(seed);
  const lines = [...sound];
  for (let times = 1 + next(3); times > 0; times -= 1) {
    const at = next(lines.length);
    const piece = strange[next(strange.length)] ?? '';
    const changed = [
      [],
      [(lines[at] ?? '').replace(/:.*/, `: ${piece}`)],
      [' '.repeat(next(8)) + piece],
      [lines[at] ?? '', lines[next(lines.length)] ?? ''],
    ];
    lines.splice(at, 1, ...(changed[next(changed.length)] ?? []));
  }
  return lines.join('\n');
}

test('no text makes a check throw; without a plan there is an error, and every place lies in its file', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const text = spoiled(seed);
    const { plan, diagnostics } = checkFlow({ path: 'flow.dag.yaml', text }, { nodeTypes: types, files, connections });
    const hasError = diagnostics.some(({ severity }) => severity === 'error');
    const places = diagnostics.flatMap(({ span }) => span ?? []);
    const areInside = places.every(({ file, start, end }) => start <= end && end <= file.text.length);
    expect({ text, isReported: hasError || plan !== undefined, areInside }).toEqual({
      text,
      isReported: true,
      areInside: true,
    });
    formatDiagnostics(diagnostics, { color: true });
    toSarif(diagnostics, '0.0.0');
    diagnostics.map(diagnosticJson);
  }
});
