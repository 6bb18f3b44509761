import { expect, test } from 'vitest';
import { NoUtf8, Utf8Parts, utf8Text } from './utf8.ts';

const texts = ['', 'plain', '質問🙂é', '\uFFFD as it was sent', 'a\0b'];

test.for(texts)('a text as it was sent: %j', (text) => {
  const bytes = Buffer.from(text);
  expect(utf8Text(bytes)).toBe(text);
  for (let size = 1; size <= 4; size += 1) {
    const parts = new Utf8Parts();
    let read = '';
    for (let at = 0; at < bytes.length; at += size) read += parts.text(bytes.subarray(at, at + size));
    parts.end();
    expect(read).toBe(text);
  }
});

test.for([
  ['latin1', Buffer.from('café', 'latin1')],
  ['half a sign at the end', Buffer.from('質').subarray(0, 2)],
  ['half a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ['CP932', Buffer.from([0x8e, 0xbf, 0x96, 0xe2])],
] as const)('bytes that are no UTF-8 are told: %s', ([, bytes]) => {
  expect(() => utf8Text(bytes)).toThrow(NoUtf8);
  const parts = new Utf8Parts();
  expect(() => {
    for (const byte of bytes) parts.text(Uint8Array.of(byte));
    parts.end();
  }).toThrow(NoUtf8);
});
