import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import { placeOf } from '../source/source-file.ts';
import { stringifyJson } from '../value/json.ts';
import { parseYaml } from './yaml-document.ts';

function read(text: string) {
  return parseYaml({ path: 'flow.dag.yaml', text });
}

function told(text: string) {
  return read(text).diagnostics.map(({ code, message, span }) => {
    if (span === undefined) return `${code} ${message}`;
    const { line, column } = placeOf(span.file, span.start);
    return `${line}:${column} ${code} ${message}`;
  });
}

test.for([
  { text: '012', json: '12' },
  { text: '0o17', json: '15' },
  { text: '0x1F', json: '31' },
  { text: '0b101', json: '5' },
  { text: '1_000', json: '1000' },
  { text: '-7', json: '-7' },
  { text: '9007199254740993', json: '9007199254740993' },
  { text: '1.0', json: '1.0' },
  { text: '1e3', json: '1000.0' },
  { text: '1.50', json: '1.5' },
  { text: '.5', json: '0.5' },
  { text: '-.inf', json: '-Infinity' },
  { text: '.nan', json: 'NaN' },
  { text: 'yes', json: '"yes"' },
  { text: 'off', json: '"off"' },
  { text: 'True', json: 'true' },
  { text: 'FALSE', json: 'false' },
  { text: '~', json: 'null' },
  { text: '', json: 'null' },
  { text: 'Null', json: 'null' },
  { text: '2024-01-02', json: '"2024-01-02"' },
  { text: '1_000.', json: '1000.0' },
  { text: '_1', json: '"_1"' },
  { text: '0o8', json: '"0o8"' },
  { text: '.5e3', json: '".5e3"' },
  { text: '.5e+3', json: '500.0' },
  { text: '2024-1-2', json: '"2024-1-2"' },
  { text: '%YAML 1.1\n---\n[yes, 012, 1:30, 0o17]', json: '[true,10,90,"0o17"]' },
  { text: 'a: [\n1,\n"x # y", # one\n{b: 2\n}\n]\nc: 3\n', json: '{"a":[1,"x # y",{"b":2}],"c":3}' },
  { text: "a:\n  b: {\n\"c\": \"d\ne\",\n'f': 'it''s ]'\n}\n", json: '{"a":{"b":{"c":"d e","f":"it\'s ]"}}}' },
  { text: "'012'", json: '"012"' },
  { text: '!!str 012', json: '"012"' },
  { text: '{1: a, yes: b}', json: '{"1":"a","yes":"b"}' },
  { text: '|\n  a\n  b\n', json: '"a\\nb\\n"' },
])('$text is read as $json', ({ text, json }) => {
  expect(read(text)).toMatchObject({ diagnostics: [] });
  expect(stringifyJson(read(text).value ?? null)).toBe(json);
});

test.for([
  { text: '!!omap [a: 1, b: 2]', json: '[{"a":1},{"b":2}]', tag: '!!omap' },
  { text: '!!binary aGVsbG8=', json: '"aGVsbG8="', tag: '!!binary' },
  { text: '!!bool yes', json: '"yes"', tag: '!!bool' },
  { text: '!env HOME', json: '"HOME"', tag: '!env' },
])('$text is read without its tag, which is told', ({ text, json, tag }) => {
  expect(stringifyJson(read(text).value ?? null)).toBe(json);
  expect(told(text)).toEqual([`1:1 FLOW_YAML the tag "${tag}" has no effect here`]);
});

test('where one line makes a text too long, it is named', () => {
  const text = `inputs: {}\ndescription: ${'x'.repeat(50)}\nnodes: []\n`;
  const { diagnostics } = parseYaml({ path: 'flow.dag.yaml', text }, { longest: 30 });
  expect(diagnostics).toMatchObject([{ help: 'line 2 alone has 63 characters' }]);
});

test('a text that is longer than what is read is one mistake, at the place where it becomes too long', () => {
  const text = `inputs:\n${'  a: {type: string}\n'.repeat(10)}`;
  const file = { path: 'flow.dag.yaml', text };
  expect(parseYaml(file, { longest: text.length }).value).toEqual({ inputs: { a: { type: 'string' } } });
  const { value, diagnostics } = parseYaml(file, { longest: 30 });
  expect(value).toBeUndefined();
  expect(formatDiagnostics(diagnostics)).toBe(
    [
      'flow.dag.yaml:3:3 error FLOW_YAML the file has 208 characters; at most 30 are read as YAML',
      '      a: {type: string}',
      '      ~',
      '1 error',
    ].join('\n'),
  );
});

test('a merged mapping gives what is not written, the first of several wins', () => {
  const text = 'a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 3}\n';
  expect(read(text)).toMatchObject({ value: { c: { x: 3, y: 1, z: 2 } }, diagnostics: [] });
  expect(Object.keys((read(text).value as { c: object }).c)).toEqual(['x', 'y', 'z']);
});

test('an alias gives the same object', () => {
  const value = read('a: &list [1]\nb: *list\n').value as { a: unknown; b: unknown };
  expect(value.a).toBe(value.b);
});

test('places lead through aliases and merged mappings', () => {
  const document = read('a: &a {x: 1}\nb: {<<: *a}\nc: [*a]\n');
  const place = (path: (string | number)[], part?: 'key' | 'value') => {
    const span = document.locate(path, part);
    return span === undefined ? undefined : [span.start, span.end];
  };
  expect(place(['a', 'x'])).toEqual([10, 11]);
  expect(place(['b', 'x'])).toEqual([10, 11]);
  expect(place(['c', 0, 'x'], 'key')).toEqual([7, 8]);
  expect(place(['c', 0])).toEqual([29, 31]);
  expect(place(['b'], 'key')).toEqual([13, 14]);
  expect(place(['nothing'])).toBeUndefined();
  expect(place(['a', 'x', 'deeper'])).toBeUndefined();
});

test.for([
  {
    text: 'a: 1\nb: {a: 1, c: 2, a: 3}\na: 2\n',
    diagnostics: [
      '3:1 FLOW_DUPLICATE_KEY the key "a" is written twice',
      '2:17 FLOW_DUPLICATE_KEY the key "a" is written twice',
    ],
  },
  {
    text: 'a: 1\n---\nb: 2\n',
    diagnostics: ['2:1 FLOW_YAML a second document begins here, and only one is read: take out the line'],
  },
  {
    text: 'a:\n  <<: [{c: 1}, 2]\n',
    diagnostics: ['2:7 FLOW_YAML "<<" takes a mapping, or a list of mappings, to merge'],
  },
  {
    text: 'a:\n  <<: {b: 1}\n  <<: {c: 1}\n',
    diagnostics: ['3:3 FLOW_DUPLICATE_KEY the key "<<" is written twice'],
  },
  { text: 'a: *nobody\n', diagnostics: ['1:4 FLOW_YAML nothing is named "&nobody" before this alias'] },
  { text: 'a: &a [*a]\n', diagnostics: ['1:8 FLOW_YAML this alias stands inside what it stands for'] },
  {
    text: 'a: {b: 1\nc: "d\n',
    diagnostics: [
      '2:1 FLOW_YAML Flow map in block collection must be sufficiently indented and end with a }',
      '3:1 FLOW_YAML Missing closing "quote',
    ],
  },
  {
    text: '{"a": 1}\n{"a": [2, 3]}\n{"a": 4}\n',
    diagnostics: ['2:1 FLOW_YAML nothing may stand here: the value before it is complete'],
  },
])('mistakes of $text', ({ text, diagnostics }) => {
  expect(told(text)).toEqual(diagnostics);
});

const helpOf = (text: string): readonly (string | undefined)[] =>
  parseYaml({ path: 'flow.dag.yaml', text }).diagnostics.map(({ help }) => help);

test.for([
  ['inputs:\n  質問：\n    type: string\n', 'line 2 has "：": where it stands for YAML, write ":" and a space'],
  ['a:\n  b: 1\n  c：2\n', 'line 3 has "：": where it stands for YAML, write ":" and a space'],
  [
    'q:\n  x:\n　　b: 1\n  y:\n    b: 2\n',
    'line 3 has a full-width space (U+3000): where it stands for YAML, write plain spaces',
  ],
  ['a:\n－ b: c: 1\n', 'line 2 has "－": where it stands for YAML, write "-" and a space'],
  ['a: {b: c、 d: 1}\n', 'line 1 has "、": where it stands for YAML, write "," and a space'],
  ['a: 1\nb: "c”\nd: 2\n', 'line 2 has "”": where it stands for YAML, write a straight \'"\''],
] as const)('a full-width character where YAML is meant is told: %s', ([text, help]) => {
  expect(helpOf(text)).toContain(help);
});

test.for(['a: "b\n', 'nodes:\n- text: "one\n  two"\n'])(
  'a quoted text that does not end says how it may go on: %j',
  (text) => {
    expect(helpOf(text)[0]).toBe('end it with its quote; lines on which it goes on stand further right than its key');
  },
);

test('a reference without quotes between brackets says how it is written', () => {
  expect(helpOf('a:\n- {b: c, d: ${row.ids}, e: 1}\n')[0]).toBe(
    'between brackets a reference stands in quotes: "${row.ids}"',
  );
  expect(helpOf('{"a": 1}\n{"b": 2}\n')[0]).toBeUndefined();
});

test.for(['a: 「質問：」\nb: {c: 1\n', 'a: b: 1 # 質問：\n'])('one that stands elsewhere is not: %s', (text) => {
  expect(helpOf(text).filter((help) => help?.includes('where it stands for YAML'))).toEqual([]);
});

test('aliases that would unfold without end of memory are refused', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level += 1) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  expect(told(lines.join('\n'))).toEqual([expect.stringMatching(/FLOW_YAML the aliases unfold to more than 1000000/)]);
});

test.for([100, 400, 700, 1000, 3000, 20_000])('%d levels are read, or told with their place', (depth) => {
  const nested: readonly (readonly [open: string, close: string])[] = [
    ['[', ']'],
    ['{a: ', '}'],
    ['- ', ''],
  ];
  for (const [open, close] of nested) {
    const found = told(`${open.repeat(depth)}1${close.repeat(depth)}`);
    if (found.length > 0 || depth > 1000)
      expect(found).toEqual([expect.stringMatching(/^1:\d+ FLOW_YAML nested deeper/)]);
  }
});

test('a text that nests too deep is told once, wherever the reader runs out of room', () => {
  for (let depth = 1001; depth < 24_000; depth += 1507) {
    expect(told(`{"a":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`)).toEqual([
      expect.stringMatching(/^1:\d+ FLOW_YAML nested deeper/),
    ]);
    expect(told(`{"a":\n${'{"a":\n'.repeat(depth)}1${'}'.repeat(depth)}}`)).toEqual([
      expect.stringMatching(/^\d+:\d+ FLOW_YAML nested deeper/),
    ]);
  }
});

test('one that is not closed either is told so alone', () => {
  expect(told('['.repeat(20_000))).toEqual([expect.stringMatching(/^1:\d+ FLOW_YAML nested deeper/)]);
});

test('of thousands of mistakes the first hundred are told, and how many follow', () => {
  const found = told(`a: ${'&a '.repeat(5000)}`);
  expect(found).toHaveLength(101);
  expect(found.at(-1)).toBe('1:307 FLOW_YAML 4899 more mistakes follow, which are told once those before are mended');
});

test.for([
  [998, []],
  [999, ['1000:13 FLOW_YAML nested deeper than 1000 levels']],
])('aliases in one another may be as deep as what is written out: %d of them', ([count, found]) => {
  const lines = ['a0: &a0 [x]'];
  for (let level = 1; level <= (count as number); level += 1) lines.push(`a${level}: &a${level} [*a${level - 1}]`);
  expect(told([...lines, 'b: 1'].join('\n'))).toEqual(found);
});

test('the class and text of the original stand beside a duplicate key', () => {
  const [found] = read('a: {b: [1, x]}\na: true\n').diagnostics;
  expect(found && promptFlowError(found)).toEqual({
    code: 'YAMLError',
    message: `Error while parsing yaml file: flow.dag.yaml \n\n while constructing a mapping
  in "flow.dag.yaml", line 1, column 1
found duplicate key "a" with value "True" (original value: "{'b': [1, 'x']}")
  in "flow.dag.yaml", line 2, column 1

To suppress this check see:
    https://yaml.dev/doc/ruamel.yaml/api/#Duplicate_keys
`,
  });
  expect(found?.notes).toEqual([
    { message: 'first written here', span: expect.objectContaining({ start: 0, end: 1 }) },
  ]);
});
