import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allNamesNow, filesBelow, namesNow, tooMany } from './content-now.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'content-now-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('more files and names than are looked at are told as such', () => {
  for (let number = 0; number <= 1000; number += 1) writeFileSync(join(folder, String(number)), '');
  expect(filesBelow(folder)).toBe(undefined);
  expect(allNamesNow(folder)).not.toBe(tooMany);
  for (let number = 1001; number <= 10_000; number += 1) writeFileSync(join(folder, String(number)), '');
  expect(allNamesNow(folder)).toBe(tooMany);
});

test('a file that becomes a folder of the same name counts', () => {
  writeFileSync(join(folder, 'one'), '');
  const before = [namesNow(folder), allNamesNow(folder)];
  rmSync(join(folder, 'one'));
  mkdirSync(join(folder, 'one'));
  expect(namesNow(folder)).not.toBe(before[0]);
  expect(allNamesNow(folder)).not.toBe(before[1]);
});
