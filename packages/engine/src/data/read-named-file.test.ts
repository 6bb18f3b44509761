import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readNamedFile, readStream } from './read-named-file.ts';

const text = '\uFEFF質問: "いくつ?"\n';

function told(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
}

function file(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'named-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'inputs.json');
  writeFileSync(path, bytes);
  return path;
}

test.for([
  ['UTF-8 with a byte order mark', Buffer.from(text), text.slice(1)],
  ['nothing', Buffer.alloc(0), ''],
  ['more than one part', Buffer.alloc(3 * 2 ** 20 + 1, 'a'), 'a'.repeat(3 * 2 ** 20 + 1)],
  ['CP932', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'it is no UTF-8 (save it as UTF-8)'],
  ['UTF-16', Buffer.from(text, 'utf16le'), 'it is no UTF-8 (save it as UTF-8)'],
  ['a sign cut in two', Buffer.from(text).subarray(0, 5), 'it is no UTF-8 (save it as UTF-8)'],
] as const)('a file of %s', async ([, bytes, expected]) => {
  expect(told(() => readNamedFile(file(bytes)))).toBe(expected);
  const parts = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 2 ** 20) yield bytes.subarray(at, at + 2 ** 20);
  };
  expect(await readStream(parts()).catch((error: Error) => error.message)).toBe(expected);
});

test('a pipe that nobody writes to is not waited for, and what has no end is given up', () => {
  const pipe = `${file(Buffer.alloc(0))}.pipe`;
  execFileSync('mkfifo', [pipe]);
  expect(told(() => readNamedFile(pipe))).toBe('it is a pipe');
  expect(told(() => readNamedFile('/dev/zero'))).toBe('it is larger than 256 MB');
});
