import { expect, test } from 'vitest';
import { AnswerReader, BrokenAnswer, type ReadAnswer } from './answer-reader.ts';

const head = 'HTTP/1.1 200 OK\r\n';

/** What is read of bytes that come all at once, or one by one; `end` where the connection ends after them. */
function read(text: string, by: number, ends = false): ReadAnswer | undefined {
  const reader = new AnswerReader();
  const bytes = Buffer.from(text, 'utf8');
  let answer: ReadAnswer | undefined;
  for (let at = 0; at < bytes.length; at += by) answer = reader.read(bytes.subarray(at, at + by)) ?? answer;
  return answer ?? (ends ? reader.end() : undefined);
}

test.for([
  { name: 'a length', text: `${head}Content-Length: 6\r\n\r\n個人`, body: '個人', keptMs: 4000 },
  { name: 'no body', text: `${head}content-length: 0\r\n\r\n`, body: '', keptMs: 4000 },
  {
    name: 'chunks',
    text: `${head}Transfer-Encoding: Chunked\r\n\r\n4\r\nab\r\n\r\n1;x=y\r\nc\r\n0\r\n\r\n`,
    body: 'ab\r\nc',
    keptMs: 4000,
  },
  { name: 'a trailer', text: `${head}transfer-encoding: chunked\r\n\r\n0\r\nx-sum: 1\r\n\r\n`, body: '', keptMs: 4000 },
  {
    name: 'no reason, an early hint',
    text: 'HTTP/1.1 103 x\r\nlink: a\r\n\r\nHTTP/1.1 200\r\ncontent-length:1\r\n\r\nx',
    body: 'x',
    keptMs: 4000,
  },
  {
    name: 'how long it is kept',
    text: `${head}keep-alive: max=9, timeout=30\r\ncontent-length: 1\r\n\r\nx`,
    body: 'x',
    keptMs: 29_000,
  },
  { name: 'not kept', text: `${head}Connection: Close\r\ncontent-length: 1\r\n\r\nx`, body: 'x', keptMs: 0 },
  {
    name: 'kept for too short',
    text: `${head}keep-alive: timeout=1\r\ncontent-length: 1\r\n\r\nx`,
    body: 'x',
    keptMs: 0,
  },
  { name: 'HTTP/1.0', text: 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\nx', body: 'x', keptMs: 0 },
  {
    name: 'HTTP/1.0, kept',
    text: 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\nx',
    body: 'x',
    keptMs: 4000,
  },
  { name: 'up to the end', text: `${head}x: y\r\n\r\nall there is`, body: 'all there is', keptMs: 0, ends: true },
])('$name', ({ text, body, keptMs, ends = false }) => {
  for (const by of [text.length * 2, 1, 3]) {
    const answer = read(text, by, ends);
    expect([answer?.status, answer?.body.toString('utf8'), answer?.keptMs]).toEqual([200, body, keptMs]);
  }
});

test('an answer without a body has none, whatever it says', () => {
  expect(read('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\n', 99)).toMatchObject({ status: 204, keptMs: 4000 });
});

test('a header that comes twice is a list; bytes after the answer end the connection', () => {
  const answer = read(`${head}Set-Cookie: a\r\nset-cookie:  b \r\ncontent-length: 1\r\n\r\nxHTTP`, 999);
  expect(answer).toMatchObject({ headers: { 'set-cookie': ['a', 'b'] }, keptMs: 0 });
});

test('one answer after the other', () => {
  const reader = new AnswerReader();
  for (const body of ['a', 'bc', '']) {
    const chunked = `${head}transfer-encoding: chunked\r\n\r\n${body === '' ? '' : `${body.length}\r\n${body}\r\n`}0\r\n\r\n`;
    for (const text of [`${head}content-length: ${body.length}\r\n\r\n${body}`, chunked]) {
      expect(reader.read(Buffer.from(text))?.body.toString()).toBe(body);
    }
  }
});

test.for([
  { name: 'no HTTP', text: 'SSH-2.0-x\r\n\r\n' },
  { name: 'another protocol from here on', text: 'HTTP/1.1 101 x\r\n\r\n' },
  { name: 'two lengths', text: `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n` },
  { name: 'a length below 0', text: `${head}content-length: -1\r\n\r\n` },
  { name: 'a length and chunks', text: `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n` },
  { name: 'a coding that is not known', text: `${head}transfer-encoding: gzip, chunked\r\n\r\n` },
  { name: 'a header over two lines', text: `${head}a: b\r\n c\r\n\r\n` },
  { name: 'a header without a colon', text: `${head}abc\r\n\r\n` },
  { name: 'a space before the colon', text: `${head}content-length : 1\r\n\r\n` },
  { name: 'a chunk without a size', text: `${head}transfer-encoding: chunked\r\n\r\nxyz\r\n` },
  { name: 'a chunk longer than its size', text: `${head}transfer-encoding: chunked\r\n\r\n1\r\nabc\r\n` },
  { name: 'a head without end', text: `${head}a: ${'b'.repeat(70_000)}` },
])('refused: $name', ({ text }) => {
  expect(() => read(text, text.length)).toThrow(BrokenAnswer);
});

test('an answer that ends before its end is refused', () => {
  for (const text of [
    '',
    head,
    `${head}content-length: 5\r\n\r\nabc`,
    `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
  ]) {
    expect(() => read(text, 999, true)).toThrow('other side closed');
  }
});
