// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { outputPlace, outputReference, parsePropertyPath, parseReference, readOtherwise } from './reference.ts';

const node = (name: string, section = 'output', property = '') => ({ kind: 'node', node: name, section, property });

test.for([
  { text: '${inputs.a}', reference: { kind: 'flow-input', input: 'a' } },
  { text: '${flow.a}', reference: { kind: 'flow-input', input: 'a' } },
  { text: '${inputs.a.b}', reference: { kind: 'flow-input', input: 'a.b' } },
  { text: '${a}', reference: node('a') },
  { text: '${a.output}', reference: node('a') },
  { text: '${a.output.b.c[0]}', reference: node('a', 'output', 'b.c[0]') },
  { text: '${a.output[0]}', reference: node('a', 'output[0]') },
  { text: '${ a.output }', reference: node(' a', 'output ') },
  { text: '${}', reference: node('') },
  { text: '$', reference: undefined },
  { text: '${a', reference: undefined },
  { text: 'x ${a}', reference: undefined },
  { text: '${a.output}.x', reference: undefined },
  { text: 5, reference: undefined },
])('$text refers to $reference', ({ text, reference }) => {
  expect(parseReference(text)).toEqual(reference);
});

test.for([
  { path: 'a.b', steps: ['word a', 'word b'] },
  { path: "a['x.y'][12]", steps: ['word a', 'key x.y', 'index 12'] },
  { path: 'a-b', steps: ['word a', 'word b'] },
  { path: 'キー.答え_1', steps: ['word キー', 'word 答え_1'] },
  { path: '["k"]', steps: ['word k'] },
  { path: '[-1]', steps: ['word 1'] },
  { path: '', steps: [] },
])('the steps of "$path" are $steps', ({ path, steps }) => {
  const written = parsePropertyPath(path).map((step) =>
    step.kind === 'index' ? `index ${step.index}` : `${step.kind} ${step.name}`,
  );
  expect(written).toEqual(steps);
});

test.for([
  { path: 'm["a b"]', read: 'm.a.b' },
  { path: 'a-b', read: 'a.b' },
  { path: '[-1]', read: '1' },
  { path: "a['x y'].b c[0]", read: "a['x y'].b.c[0]" },
  { path: 'a.b["c"]', read: undefined },
  { path: "['a b'][12].c", read: undefined },
  { path: '答え.項目', read: undefined },
])('"$path" is read as $read, which is told where it is other than written', ({ path, read }) => {
  expect(readOtherwise(path)).toBe(read);
});

test('an output is written as it is read', () => {
  expect(outputPlace(outputReference('a', 'b.c'))).toEqual({ node: 'a', property: 'b.c' });
  expect(outputPlace(outputReference('a'))).toEqual({ node: 'a', property: '' });
  expect([outputPlace('${a.log}'), outputPlace('${inputs.a}'), outputPlace('${}')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
