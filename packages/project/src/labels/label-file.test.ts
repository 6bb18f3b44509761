import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keyText, labelKey, labelPath, readLabels, writeLabel } from './label-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-labels-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string) => ({ file: join(folder, `${name}.jsonl`), shown: `${name}.jsonl` });
const key = (question: string, answer = 'a') => labelKey('cited', { query: question }, answer);

test.for([
  ['evals/cases.jsonl', 'evals/cases.labels.jsonl'],
  ['cases.csv', 'cases.labels.jsonl'],
  ['no.dots/cases', 'no.dots/cases.labels.jsonl'],
] as const)('labels of %s stand in %s', ([data, labels]) => {
  expect(labelPath(data)).toBe(labels);
});

test('a label holds for the same question with the same answer, whatever the order of keys', () => {
  expect(labelKey('m', { a: 1, b: 2 }, 'x')).toEqual(labelKey('m', { b: 2, a: 1 }, 'x'));
  const others = [labelKey('n', { a: 1 }, 'x'), labelKey('m', { a: 2 }, 'x'), labelKey('m', { a: 1 }, 'y')];
  expect(new Set([labelKey('m', { a: 1 }, 'x'), ...others].map(keyText)).size).toBe(4);
});

test('one line a label, in its place: what others wrote stays', async () => {
  const place = fileOf('places');
  await writeLabel(place, key('first'), { judgement: 'pass', about: '個人情報とは' });
  await writeLabel(place, key('second'), { judgement: 'fail', note: 'two\nlines' });
  await writeLabel(place, key('first'), { judgement: 'fail', score: 2 });
  const lines = readFileSync(place.file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { judgement: 'fail', score: 2 },
    { judgement: 'fail', note: 'two\nlines' },
  ]);
  const left = await writeLabel(place, key('first'), undefined);
  expect([...left.values()]).toMatchObject([{ note: 'two\nlines' }]);
  expect(existsSync(`${place.file}.lock`)).toBe(false);
});

test('many that write at once lose nothing', async () => {
  const place = fileOf('many');
  const names = Array.from({ length: 40 }, (_, at) => `question ${at}`);
  await Promise.all(names.map(async (name) => await writeLabel(place, key(name), { judgement: 'pass' })));
  expect(readLabels(place.file, place.shown).size).toBe(40);
});

test.for([
  ['{"metric": "m"', 'broken.jsonl:2: '],
  ['{"metric": "m", "inputs": "i", "answer": "a", "judgement": "maybe"}', 'broken.jsonl:2: judgement: '],
  ['[]', 'broken.jsonl:2: it: '],
] as const)('a line that is no label is told with its place, and nothing is written: %s', async ([line, told]) => {
  const place = fileOf('broken');
  const text = `{"metric":"m","inputs":"i","answer":"a"}\n${line}\n`;
  writeFileSync(place.file, text);
  expect(() => readLabels(place.file, place.shown)).toThrow(told);
  await expect(writeLabel(place, key('q'), { judgement: 'pass' })).rejects.toThrow(told);
  expect(readFileSync(place.file, 'utf8')).toBe(text);
});

test('two lines that say different things of one answer are told, and neither is written over: a merge left them', async () => {
  const place = fileOf('twice');
  const text = ['pass', 'fail'].map((judgement) => `${JSON.stringify({ ...key('q'), judgement })}\n`).join('');
  writeFileSync(place.file, text);
  const told = 'twice.jsonl:2: it says something else of the answer that line 1 is about';
  expect(() => readLabels(place.file, place.shown)).toThrow(told);
  await expect(writeLabel(place, key('other'), { judgement: 'pass' })).rejects.toThrow(told);
  expect(readFileSync(place.file, 'utf8')).toBe(text);
});

test('a line that stands twice as it is counts once', async () => {
  const place = fileOf('same');
  writeFileSync(place.file, `${line}\n${line}\n`);
  expect((await writeLabel(place, key('q'), { judgement: 'pass' })).size).toBe(2);
});

test('without a file there are none', () => {
  expect(readLabels(fileOf('none').file, 'none.jsonl').size).toBe(0);
});

const line = '{"metric":"cited","inputs":"a","answer":"b","reviewer":"Aiko","judgement":"pass"}';

test('what a line holds beside a label stays, also a byte order mark and CRLF of an editor are no mistake', async () => {
  const place = fileOf('newer');
  writeFileSync(place.file, `\uFEFF${line}\r\n`);
  await writeLabel(place, key('first'), { judgement: 'fail' });
  expect(readFileSync(place.file, 'utf8').split('\n')[0]).toBe(`${line}\r`);
});

test('lines of others stay to the character: numbers that JavaScript cannot hold, values of any depth', async () => {
  const place = fileOf('verbatim');
  const odd = `${line.slice(0, -1)}, "by": 12345678901234567890123, "at": 1.0, "deep": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  writeFileSync(place.file, `${odd}\n`);
  await writeLabel(place, key('first'), { judgement: 'fail' });
  expect(readFileSync(place.file, 'utf8').split('\n')[0] === odd).toBe(true);
});

test.for([
  {
    what: 'bytes that are no UTF-8',
    says: 'it is no UTF-8',
    make: (path: string) => writeFileSync(path, Buffer.from(`${line.slice(0, -2)}\xe9"}`, 'latin1')),
  },
  { what: 'a pipe', says: 'it is no file', make: (path: string) => void execFileSync('mkfifo', [path]) },
  { what: 'a folder', says: 'it is no file', make: (path: string) => void mkdirSync(path) },
  { what: 'links in a circle', says: 'too many symbolic links', make: (path: string) => symlinkSync(path, path) },
  {
    what: 'a gigabyte',
    says: 'it has more than 64 MB',
    make: (path: string) => {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 30);
    },
  },
])('$what in the place of labels: told, and nothing is written over it', async ({ what, says, make }) => {
  const place = fileOf(what);
  make(place.file);
  expect(() => readLabels(place.file, place.shown)).toThrow(`${place.shown} cannot be read: ${says}`);
  await expect(writeLabel(place, key('first'), { judgement: 'pass' })).rejects.toThrow(says);
});
