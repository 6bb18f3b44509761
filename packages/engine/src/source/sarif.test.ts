import { expect, test } from 'vitest';
import type { Diagnostic } from './diagnostic.ts';
import { diagnosticJson } from './diagnostic-json.ts';
import { toSarif } from './sarif.ts';

const file = { path: 'flows/質問/flow.dag.yaml', text: 'nodes:\n- 名前: x\n  promt: y\n' };

function spanOf(text: string) {
  const start = file.text.indexOf(text);
  return { file, start, end: start + text.length };
}

const unknown: Diagnostic = {
  severity: 'error',
  code: 'FLOW_UNKNOWN_KEY',
  message: 'unknown key "promt"',
  span: spanOf('promt'),
  help: 'did you mean "prompt"?',
  notes: [{ message: 'here', span: spanOf('名前') }, { message: 'nowhere' }],
};
const placeless: Diagnostic = { severity: 'warning', code: 'SOME_CODE', message: 'somewhere' };

test('a diagnostic as JSON: nothing is left out, what is not known is null', () => {
  expect([unknown, placeless].map(diagnosticJson)).toEqual([
    {
      severity: 'error',
      code: 'FLOW_UNKNOWN_KEY',
      message: 'unknown key "promt"',
      file: 'flows/質問/flow.dag.yaml',
      line: 3,
      column: 3,
      end_line: 3,
      end_column: 8,
      help: 'did you mean "prompt"?',
      notes: [
        { message: 'here', file: 'flows/質問/flow.dag.yaml', line: 2, column: 3 },
        { message: 'nowhere', file: null, line: null, column: null },
      ],
    },
    {
      severity: 'warning',
      code: 'SOME_CODE',
      message: 'somewhere',
      file: null,
      line: null,
      column: null,
      end_line: null,
      end_column: null,
      help: null,
      notes: [],
    },
  ]);
});

test('a SARIF log: rules by code, columns in code points, files as URIs', () => {
  const log = toSarif([placeless, unknown], '1.2.3');
  const [run] = log.runs;
  expect(log.version).toBe('2.1.0');
  expect(run?.tool.driver).toMatchObject({ name: 'unroll', version: '1.2.3' });
  expect(run?.tool.driver.rules.map(({ id, help }) => [id, help === undefined])).toEqual([
    ['FLOW_UNKNOWN_KEY', false],
    ['SOME_CODE', true],
  ]);
  const uri = 'flows/%E8%B3%AA%E5%95%8F/flow.dag.yaml';
  expect(run?.results).toEqual([
    {
      ruleId: 'FLOW_UNKNOWN_KEY',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'unknown key "promt" (did you mean "prompt"?)' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri },
            region: { startLine: 3, startColumn: 3, endLine: 3, endColumn: 8 },
          },
        },
      ],
      relatedLocations: [
        {
          message: { text: 'here' },
          physicalLocation: {
            artifactLocation: { uri },
            region: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 5 },
          },
        },
      ],
    },
    { ruleId: 'SOME_CODE', ruleIndex: 1, level: 'warning', message: { text: 'somewhere' }, locations: [] },
  ]);
});
