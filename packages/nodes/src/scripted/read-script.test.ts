import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrepareError } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { readScript } from './read-script.ts';

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'script-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'replies.yaml');
}

/** What is told of a script that is wrong, without its folder. */
function told(path: string): unknown {
  try {
    readScript(path);
    return 'read';
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    const { code, message, retryable } = error.error;
    return `${code}, ${retryable}: ${message.replaceAll(path, 'replies.yaml')}`;
  }
}

const advice = 'Expected a list of {when, reply} and {when, error: {code, message, retryable}}.';

test.for([
  ['', `InvalidScript, false: replies.yaml is no list of replies. ${advice}`],
  ['reply: one', `InvalidScript, false: replies.yaml is no list of replies. ${advice}`],
  ['- {reply: one}\n- two\n', `InvalidScript, false: replies.yaml: reply 2 is no mapping. ${advice}`],
  [
    '- {reply: one}\n- {repli: two}\n',
    `InvalidScript, false: replies.yaml: reply 2 has an unknown key "repli". ${advice}`,
  ],
  ['- {when: hi}\n', `InvalidScript, false: replies.yaml: reply 1 has no reply. ${advice}`],
  ['- {when: hi, reply: null}\n', `InvalidScript, false: replies.yaml: reply 1 has no reply. ${advice}`],
  ['- {whne: hi, reply: one}\n', `InvalidScript, false: replies.yaml: reply 1 has an unknown key "whne". ${advice}`],
  ['- {when: [hi], reply: one}\n', `InvalidScript, false: replies.yaml: reply 1: "when" must be a text. ${advice}`],
  ['- {when: , reply: one}\n', `InvalidScript, false: replies.yaml: reply 1: "when" must be a text. ${advice}`],
  ['- {reply: one, error: {}}\n', `InvalidScript, false: replies.yaml: reply 1 has both reply and error. ${advice}`],
  ['- {error: busy}\n', `InvalidScript, false: replies.yaml: reply 1: "error" must be a mapping. ${advice}`],
  [
    '- {error: {retriable: true}}\n',
    `InvalidScript, false: replies.yaml: reply 1 has an unknown key "error.retriable". ${advice}`,
  ],
  [
    '- {error: {retryable: "yes"}}\n',
    `InvalidScript, false: replies.yaml: reply 1: "error.retryable" must be true or false. ${advice}`,
  ],
  ['- {error: {code: [5]}}\n', `InvalidScript, false: replies.yaml: reply 1: "error.code" must be a text. ${advice}`],
  ['- {reply: 5}\n', `InvalidScript, false: replies.yaml: reply 1: "reply" must be a text or a message. ${advice}`],
  [
    '- {reply: {role: assistant, contnet: one}}\n',
    `InvalidScript, false: replies.yaml: reply 1: "reply" has the unknown key "contnet": did you mean "content"? ${advice}`,
  ],
  [
    '- {reply: {content: 5}}\n',
    `InvalidScript, false: replies.yaml: reply 1: "reply.content" must be a text. ${advice}`,
  ],
  [
    '- {when: 5, reply: {content: null, tool_calls: []}}\n- {reply: [0.5, 1]}\n- {error: {code: 429, retryable: true}}\n',
    'read',
  ],
  [
    '- {reply: one}\n- [two\n',
    'InvalidScript, false: replies.yaml:3:1 cannot be read: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  [
    '- {reply: one, reply: two}\n',
    'InvalidScript, false: replies.yaml:1:16 cannot be read: the key "reply" is written twice',
  ],
])('a script %j is a mistake of who wrote it, told with its place', ([text, words]) => {
  const path = place();
  writeFileSync(path, text as string);
  expect(told(path)).toBe(words);
});

test('a script that nests too deep, in any place, is one too', () => {
  const path = place();
  writeFileSync(path, `- {reply: ${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`);
  expect(told(path)).toMatch(
    /^InvalidScript, false: replies\.yaml:1:\d+ cannot be read: nested deeper than can be read$/,
  );
});

test('what is no file that can be read is told in words', () => {
  const [none, folder, pipe, latin] = [place(), place(), place(), place()];
  mkdirSync(folder);
  execFileSync('mkfifo', [pipe]);
  writeFileSync(latin, Buffer.from('- {reply: caf\xe9}\n', 'latin1'));
  expect([none, folder, pipe, latin].map(told)).toEqual([
    'InvalidScript, false: replies.yaml cannot be read: there is no such file',
    'InvalidScript, false: replies.yaml cannot be read: it is a folder',
    'InvalidScript, false: replies.yaml cannot be read: it is a pipe',
    'InvalidScript, false: replies.yaml cannot be read: it is no UTF-8 (save it as UTF-8)',
  ]);
});
