import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { refusalOf } from '../source/refusal.ts';
import { scanFile } from './scan-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'flow-scan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Read at once. */
const piece = 2 ** 20;

function scanned(...parts: readonly (string | Uint8Array)[]) {
  const path = join(folder, 'data.jsonl');
  writeFileSync(path, Buffer.concat(parts.map((part) => Buffer.from(part as string))));
  return scanFile(path);
}

test.for(['é', '日', '𠮟', 'a'])('%s is a character wherever the pieces of a file are cut', async (character) => {
  for (let before = 1; before <= Buffer.byteLength(character); before += 1) {
    const found = await scanned('x'.repeat(piece - before), character, '\n', character.repeat(3));
    expect(found).toMatchObject({ encoding: 'utf-8', filledLines: 2 });
  }
});

test.for<readonly [name: string, bytes: readonly number[]]>([
  ['a character that the end cuts off', [0xe6, 0x97]],
  ['bytes of another encoding', [0x93, 0xfa]],
])('%s: no UTF-8', async ([, bytes]) => {
  expect(await scanned('x', new Uint8Array(bytes))).toMatchObject({ encoding: 'cp932' });
  expect(await scanned('x'.repeat(piece - 1), new Uint8Array(bytes))).toMatchObject({ encoding: 'cp932' });
  expect(await scanned('x'.repeat(piece - 1), new Uint8Array(bytes), '\nxx')).toMatchObject({ encoding: 'cp932' });
});

test('lines that hold more than white space are counted, also where a piece ends in one', async () => {
  expect(await scanned('a\n \n\nb\r\n\t\n', 'c')).toMatchObject({ filledLines: 3 });
  expect(await scanned(`${' '.repeat(piece - 1)}x`, '\n', '  \n', 'y\n')).toMatchObject({ filledLines: 2 });
  expect(await scanned('\v\f \n\0\n\u3000\n')).toMatchObject({ filledLines: 2 });
  expect(await scanned('')).toMatchObject({ filledLines: 0, isEmpty: true });
});

/** Of a file that no disk holds: reading it where it begins is such an error. */
const unreadable = '/proc/self/mem';

test.runIf(existsSync(unreadable))('a file that the disk gives an error of is named', async () => {
  const thrown = await scanFile(unreadable).catch((error: unknown) => error);
  expect([refusalOf(thrown), thrown]).toEqual([
    'the disk gave an error',
    expect.objectContaining({ path: unreadable }),
  ]);
});

test.for<readonly [parts: readonly string[], same: readonly string[]]>([
  [['a\r\nb\r\n'], ['a\nb\n']],
  [
    ['x'.repeat(piece - 1), '\r', '\nb\r\n'],
    ['x'.repeat(piece - 1), '\nb\n'],
  ],
  [
    ['x'.repeat(piece - 1), '\r', 'b'],
    ['x'.repeat(piece - 1), '\rb'],
  ],
  [['a\r\r\nb'], ['a\r\nb', '']],
])('the digest is that of the text, whatever its line ends are (%#)', async ([parts, same]) => {
  const [first, second] = [await scanned(...parts), await scanned(...same)];
  expect(first.digest === second.digest).toBe(!same.includes(''));
});

test('of LF and of what ends in a lone return, the digest is that of the bytes', async () => {
  for (const text of ['a\nb', 'a\r', 'a\rb\n', '']) {
    expect((await scanned(text)).digest).toBe(createHash('sha256').update(text).digest('hex'));
  }
  const path = join(folder, 'data.parquet');
  writeFileSync(path, 'a\r\nb');
  expect((await scanFile(path, { isText: false })).digest).toBe(createHash('sha256').update('a\r\nb').digest('hex'));
});
