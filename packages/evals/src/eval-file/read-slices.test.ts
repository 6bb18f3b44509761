// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { expect, test } from 'vitest';
import { evaluators } from '../evaluators/evaluators.ts';
import { parseEval } from './parse-eval.ts';

function slicesOf(written: string, given?: readonly string[]) {
  const text = `run: r\n${written}metrics:\n- {name: a, on: outputs.a, evaluator: equals, expected: x}\n`;
  const { spec, diagnostics } = parseEval({ path: 'eval.yaml', text }, { evaluators, slices: given });
  const told = diagnostics.map(({ message, span }) => `${span === undefined ? 'no place' : span.start}: ${message}`);
  return spec === undefined ? told : spec.slices.map(({ column, text: reference }) => `${column} = ${reference}`);
}

test.for<[written: string, column: string, reference: string]>([
  ['${row.lang}', 'lang', 'row.lang'],
  ['${data.lang}', 'lang', 'row.lang'],
  ['lang', 'lang', 'row.lang'],
  ['${row.expected.kind}', 'expected.kind', 'row.expected.kind'],
  ['expected.kind', 'expected.kind', 'row.expected.kind'],
  ['言語', '言語', 'row.言語'],
  ["${row['Ground Truth']}", 'Ground Truth', "row['Ground Truth']"],
  ['Ground Truth', 'Ground Truth', "row['Ground Truth']"],
  ["['a.b']", 'a.b', "row['a.b']"],
  ['tags[0]', 'tags[0]', 'row.tags[0]'],
])('%s is column %s', ([written, column, reference]) => {
  const told = `${column} = ${reference}`;
  expect(slicesOf(`slices: [${JSON.stringify(written)}]\n`)).toEqual([told]);
  expect(slicesOf('', [written])).toEqual([told]);
});

test('each column once, and what is given wins over the file', () => {
  expect(slicesOf('slices: [lang, "${row.lang}", kind]\n')).toEqual(['lang = row.lang', 'kind = row.kind']);
  expect(slicesOf('slices: [lang]\n', ['kind'])).toEqual(['kind = row.kind']);
  expect(slicesOf('slices:\n')).toEqual([]);
});

test('mistakes of the file have a place, those beside it have none', () => {
  const none = (text: string) => `scores are told apart by a column of the data, and "${text}" is none`;
  expect(slicesOf('slices: ["${outputs.a}"]\n', ['{{ row.lang }}'])).toEqual([
    `16: ${none('${outputs.a}')}`,
    `no place: ${none('{{ row.lang }}')}`,
  ]);
});
