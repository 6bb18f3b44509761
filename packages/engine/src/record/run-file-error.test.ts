import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkRunFile } from './check-run-file.ts';
import { RunDamageError, RunFileError, runFileError } from './run-file-error.ts';

test.for<[what: string, doing: 'read' | 'write', errcode: number, message: string, isDamage: boolean]>([
  ['no database', 'read', 26, 'p is no run record: words', false],
  ['no database, written to', 'write', 26, 'p is no run record: words', false],
  ['a damaged page', 'read', 11, 'the run record p is damaged: words', true],
  ['a damaged page, written to', 'write', 11, 'the run record p is damaged: words', true],
  ['a damaged index', 'read', 11 + 256 * 3, 'the run record p is damaged: words', true],
  ['a full disk', 'write', 13, 'the run record p cannot be written: the disk is full', false],
  ['a disk that gives an error', 'read', 10 + 256, 'the run record p cannot be read: the disk gave an error', true],
  ['a file that was cut', 'read', 10 + 512, 'the run record p is damaged: it ends in the middle of a page', true],
  [
    'a disk that gives an error, written to',
    'write',
    10 + 768,
    'the run record p cannot be written: the disk gave an error, or files may not grow that large',
    false,
  ],
  ['what nobody foresaw, read', 'read', 1, 'the run record p is damaged: words', true],
  ['what nobody foresaw, written', 'write', 1, 'the run record p cannot be written: words', false],
  ['another process', 'write', 5, 'the run record p cannot be written: another process is writing the file', false],
  ['no right to write', 'write', 8, 'the run record p cannot be written: the file may not be written', false],
  ['no right to read', 'read', 3, 'the run record p cannot be read: the file may not be opened', false],
  ['no folder', 'read', 14, 'the run record p cannot be read: no file can be opened or made there', false],
])('%s', ([, doing, errcode, message, isDamage]) => {
  const cause = Object.assign(new Error('words'), { errcode });
  const error = runFileError(doing, 'p', cause);
  expect(error).toBeInstanceOf(RunFileError);
  expect([error.message, error instanceof RunDamageError]).toEqual([message, isDamage]);
  if (!isDamage) expect(error.cause).toBe(cause);
});

test('a number that was never written is damage; our own errors stay, and all else is thrown again', () => {
  const large = Object.assign(new Error('too large'), { code: 'ERR_OUT_OF_RANGE' });
  expect(runFileError('read', 'p', large)).toEqual(
    new RunDamageError({ message: 'the run record p is damaged: too large' }),
  );
  const own = new RunFileError('own', 'own');
  expect(runFileError('write', 'p', own)).toBe(own);
  const bug = new TypeError('bug: x');
  expect(() => runFileError('read', 'p', bug)).toThrow(bug);
});

test('damage of a row names it, other damage has none', () => {
  expect(new RunDamageError({ message: 'm', row: { line: 1, repeat: 2 } }).row).toEqual({ line: 1, repeat: 2 });
  expect(new RunDamageError({ message: 'm' }).row).toBeUndefined();
});

test('a file that the system does not let be read is not damaged: its refusal is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-refused-'));
  const path = join(folder, 'round.run');
  symlinkSync(path, path);
  const message = `the run record ${path} cannot be read: too many symbolic links`;
  await expect(checkRunFile(path)).rejects.toThrow(message);
  rmSync(folder, { recursive: true });
});
