import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { columnReference, mappingText } from './mapping-text.ts';

const names = [
  'q',
  'a"b',
  "it's",
  'a b',
  'a: b',
  'yes',
  '12',
  'null',
  'back\\slash',
  '#no',
  '',
  '質問',
  '$HOME',
  'a\nb',
];

test.for(names)('a mapping with the column %j is read back from a file as it was meant', (name) => {
  const given = { [name]: columnReference(name), other: 'VALUE' };
  expect(parse(mappingText(given, { isMappingInFile: true }))).toEqual({ column_mapping: given });
});

test.skipIf(process.platform === 'win32').for(names)(
  'the column %j with the command reaches it as it was meant',
  (name) => {
    const written = mappingText({ [name]: columnReference(name) }, {});
    const words = execFileSync('sh', ['-c', `printf '%s\\0' ${written}`], { encoding: 'utf8' }).split('\0');
    expect(words.slice(0, -1)).toEqual(['--column-mapping', `${name}=${columnReference(name)}`]);
  },
);

test('plain names stand as they are', () => {
  const given = { question: columnReference('query'), 'chat-history': 'VALUE' };
  const inFile = 'column_mapping: {question: "${data.query}", chat-history: "VALUE"}';
  expect(mappingText(given, { isMappingInFile: true })).toBe(inFile);
  expect(mappingText(given, {})).toBe("--column-mapping question='${data.query}' chat-history=VALUE");
});
