import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { bearRecord, hasHead } from './record-birth.ts';
import { RunFileError } from './run-file-error.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'birth-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const bear = (path: string, text = 'head'): void => bearRecord(path, (temporary) => writeFileSync(temporary, text));

test('a record has its name only once its head is written, and nothing is left beside it', () => {
  const path = join(newFolder(), 'r.run');
  bearRecord(path, (temporary) => {
    expect(existsSync(path)).toBe(false);
    writeFileSync(temporary, 'head');
  });
  expect(readFileSync(path, 'utf8')).toBe('head');
  expect(readdirSync(join(path, '..'))).toEqual(['r.run']);
});

test('where a head cannot be written the name stays free, and what SQLite began is removed', () => {
  const folder = newFolder();
  const write = (temporary: string): never => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) writeFileSync(temporary + suffix, '');
    throw new Error('no space');
  };
  expect(() => bearRecord(join(folder, 'r.run'), write)).toThrow('no space');
  expect(readdirSync(folder)).toEqual([]);
});

test('a record that is there stays as it is: the second of its name is refused', () => {
  const path = join(newFolder(), 'r.run');
  bear(path, 'the first, which is no database and somebody’s all the same');
  expect(() => bear(path, 'the second')).toThrow(RunFileError);
  expect(() => bear(path, 'the second')).toThrow(`there is a run record ${path} already`);
  expect(readFileSync(path, 'utf8')).toContain('the first');
  expect(readdirSync(join(path, '..'))).toEqual(['r.run']);
});

test('a file in which nothing was recorded yet gives its name to the next record', () => {
  const path = join(newFolder(), 'r.run');
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(path + suffix, '');
  bear(path);
  expect(readFileSync(path, 'utf8')).toBe('head');
  expect(readdirSync(join(path, '..'))).toEqual(['r.run']);
});

test('what processes left that were killed before their records were there is cleared after a minute', () => {
  const folder = newFolder();
  const minute = 60_000;
  const left = (name: string, age: number): string => {
    writeFileSync(join(folder, name), '');
    const then = (Date.now() - age) / 1000;
    utimesSync(join(folder, name), then, then);
    return name;
  };
  const old = ['', '-wal', '-shm', '-journal'].map((suffix) => left(`a.run.0123456789ab.new${suffix}`, 1.5 * minute));
  const stays = [
    left('b.run.0123456789ab.new', 0.5 * minute),
    left('c.run', 9 * minute),
    left('d.run.0123456789ab.new.txt', 9 * minute),
    left('e.run.0123456789a.new', 9 * minute),
    left('f.0123456789ab.new', 9 * minute),
  ];
  bear(join(folder, 'r.run'));
  const now = readdirSync(folder);
  expect(old.filter((name) => now.includes(name))).toEqual([]);
  expect(now).toEqual([...stays, 'r.run']);
});

test.for<[what: string, make: (path: string) => void, has: boolean]>([
  ['no file', () => undefined, false],
  ['an empty file', (path) => writeFileSync(path, ''), false],
  [
    'a database without a table',
    (path) => {
      using database = new DatabaseSync(path);
      database.exec('PRAGMA user_version = 1');
    },
    false,
  ],
  [
    'a database with a table',
    (path) => {
      using database = new DatabaseSync(path);
      database.exec('CREATE TABLE t (x)');
    },
    true,
  ],
  ['a text', (path) => writeFileSync(path, 'no database'.repeat(1000)), true],
  ['a folder', (path) => mkdirSync(path), true],
])('whether something is recorded in %s: $2', ([, make, has]) => {
  const path = join(newFolder(), 'r.run');
  make(path);
  expect(hasHead(path)).toBe(has);
});

test('a folder of the name of a record is somebody’s: nothing is made there', () => {
  const folder = newFolder();
  const path = join(folder, 'r.run');
  mkdirSync(path);
  expect(hasHead(path)).toBe(true);
  expect(() => bear(path)).toThrow();
  expect(readdirSync(folder)).toEqual(['r.run']);
});
