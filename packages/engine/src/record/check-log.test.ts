import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLogDamaged } from './check-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const header = 32;
const frameHeader = 24;
const pageSize = 512;
const frame = frameHeader + pageSize;
const rows = 4;
/** The file as it is beside the first log. */
const besideOne = join(folder, 'beside.run');

/** Logs as a process that is killed leaves them: of one turn, and of a turn that was begun over an older, longer one. */
const logs: Record<'one' | 'second', Buffer> = { one: Buffer.alloc(0), second: Buffer.alloc(0) };

beforeAll(() => {
  const path = join(folder, 'written.run');
  using database = new DatabaseSync(path);
  database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; CREATE TABLE t (x)`);
  for (let n = 0; n < rows; n += 1) database.exec("INSERT INTO t VALUES (printf('%.300c', 'x'))");
  logs.one = readFileSync(`${path}-wal`);
  copyFileSync(path, besideOne);
  database.exec('PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)');
  logs.second = readFileSync(`${path}-wal`);
});

const framesOf = (log: Buffer): number => (log.length - header) / frame;
/** Frames of the second log that were written in its own turn: those that have the header's salts. */
const ofThisTurn = (log: Buffer): number =>
  Array.from({ length: framesOf(log) }, (_, at) => header + at * frame).filter(
    (at) => log.compare(log, 16, 24, at + 8, at + 16) === 0,
  ).length;

function isDamaged(log: Buffer, isInUse = true): boolean {
  const path = join(folder, 'tried.run');
  writeFileSync(`${path}-wal`, log);
  return isLogDamaged(path, () => isInUse);
}

const withChanged = (log: Buffer, at: number, bit = 0x40): Buffer => {
  const other = Buffer.from(log);
  other[at] = (other[at] as number) ^ bit;
  return other;
};

/** Every byte of the heads of frames, and some of their pages. */
const placesIn = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => header + (from + at) * frame).flatMap((start) =>
    [...Array.from({ length: frameHeader }, (_, byte) => byte), frameHeader, frameHeader + 300, frame - 1].map(
      (byte) => start + byte,
    ),
  );

test('logs as they were written are sound', () => {
  expect(framesOf(logs.one)).toBeGreaterThan(4);
  expect(ofThisTurn(logs.second)).toBeLessThan(framesOf(logs.second));
  expect([isDamaged(logs.one), isDamaged(logs.second)]).toEqual([false, false]);
});

test('no log, or one without a frame, loses nothing; a log beside a record that has none is damage', () => {
  expect(isLogDamaged(join(folder, 'none.run'), () => true)).toBe(false);
  expect(isDamaged(Buffer.alloc(0))).toBe(false);
  expect(isDamaged(Buffer.alloc(header + frameHeader - 1))).toBe(false);
  expect(isDamaged(logs.one, false)).toBe(true);
  expect(isDamaged(Buffer.alloc(header + frameHeader - 1), false)).toBe(false);
});

test.for([
  ['one', 1],
  ['one', 0x40],
  ['second', 1],
  ['second', 0x40],
] as const)('a changed byte of the header of log %s is found', ([which, bit]) => {
  const log = logs[which];
  const bytes = Array.from({ length: header }, (_, at) => at);
  expect(bytes.filter((at) => !isDamaged(withChanged(log, at, bit)))).toEqual([]);
});

test('a changed byte of any frame is found', () => {
  const places = placesIn(0, framesOf(logs.one));
  expect(places.filter((at) => !isDamaged(withChanged(logs.one, at)))).toEqual([]);
});

test('a changed byte of a frame is found before older ones, but in the last: a kill may have torn that', () => {
  const [{ second }, last] = [logs, ofThisTurn(logs.second) - 1];
  expect(placesIn(0, last).filter((at) => !isDamaged(withChanged(second, at)))).toEqual([]);
  expect(placesIn(last, last + 1).filter((at) => isDamaged(withChanged(second, at)))).toEqual([]);
});

test('frames of an earlier turn may be as they like: nobody reads them', () => {
  const { second } = logs;
  const places = placesIn(ofThisTurn(second), framesOf(second));
  expect(places.filter((at) => isDamaged(withChanged(second, at)))).toEqual([]);
});

test('a log that ends within its last frame was torn by a kill: nothing that was committed is lost with it', () => {
  for (const missing of [1, pageSize, frame - 1, frame, frame + 1]) {
    expect([missing, isDamaged(logs.one.subarray(0, logs.one.length - missing))]).toEqual([missing, false]);
  }
});

test('what SQLite leaves out of a log without a word is damage', () => {
  const path = join(folder, 'taken.run');
  const isWhole = (log: Buffer): boolean => {
    copyFileSync(besideOne, path);
    writeFileSync(`${path}-wal`, log);
    rmSync(`${path}-shm`, { force: true });
    try {
      using database = new DatabaseSync(path);
      return database.prepare('SELECT count(*) AS n FROM t').get()?.['n'] === rows;
    } catch {
      return false;
    }
  };
  expect(isWhole(logs.one)).toBe(true);
  const lost = placesIn(0, framesOf(logs.one)).filter((at) => !isWhole(withChanged(logs.one, at)));
  expect(lost.length).toBeGreaterThan(100);
  expect(lost.filter((at) => !isDamaged(withChanged(logs.one, at)))).toEqual([]);
});
