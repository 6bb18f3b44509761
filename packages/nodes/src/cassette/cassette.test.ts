import { Float, type JsonValue, type ModelRequest, type ModelResult, Redactor, stringifyJson } from '@unroll/engine';
import { expect, test } from 'vitest';
import { Cassette, type CassetteMode } from './cassette.ts';
import { type CassetteContent, CassetteError, readCassette, stringifyCassette } from './cassette-text.ts';
import { callKey, type RecordedCall } from './recorded-call.ts';

const empty: CassetteContent = { connections: {}, calls: [] };
const key = 'sk-verysecretkey0123456789';
const connection = {
  name: 'mine',
  type: 'azure_open_ai',
  configs: { api_base: 'https://x.example' },
  secrets: { api_key: key },
};

/** A model that answers with the number of its call. */
function countingModel() {
  let count = 0;
  const open = async () => ({
    async call(_api: string, request: ModelRequest): Promise<ModelResult> {
      count += 1;
      if (request['fail'] === 'often') return { ok: false, error: { code: 'Busy', message: 'busy', retryable: true } };
      if (request['fail'] === 'always')
        return { ok: false, error: { code: 'Filtered', message: `no ${key}`, retryable: false } };
      return { ok: true, reply: { body: { role: 'assistant', content: `answer ${count}` } } };
    },
  });
  return { open, calls: () => count };
}

interface Ask {
  readonly node?: string;
  readonly line?: number;
  readonly repeat?: number;
  readonly request: ModelRequest;
}

/** Asks in order, each for itself, over a cassette; gives answers and the cassette. */
async function ask(mode: CassetteMode, content: CassetteContent, asks: readonly Ask[], model = countingModel()) {
  const cassette = new Cassette(mode, content, 'tape.yaml', new Redactor());
  const service = await cassette.serviceOpener(model.open)(connection);
  const answers: string[] = [];
  for (const { node = 'a_1', line = 0, repeat = 0, request } of asks) {
    const caller = { node, line, repeat };
    const result = await service?.call('chat', request, { signal: new AbortController().signal, caller });
    if (result?.ok === true) answers.push(String((result.reply.body as { content: string }).content));
    else answers.push(String(result?.error.code));
  }
  return { answers, cassette, calls: model.calls(), text: stringifyCassette(cassette.content()) };
}

const hello: Ask = { request: { model: 'm', temperature: 1, messages: [{ role: 'user', content: 'こんにちは' }] } };
const bye: Ask = { line: 1, request: { model: 'm', messages: [{ role: 'user', content: 'さようなら' }] } };

test('what was recorded is replayed without the model, however the keys were ordered', async () => {
  const { text, answers } = await ask('new', empty, [hello, bye]);
  expect(answers).toEqual(['answer 1', 'answer 2']);
  const { messages = null, model = null } = hello.request;
  const turned: Ask = { request: { messages, temperature: new Float(1), model } };
  const replayed = await ask('replay', readCassette(text, 'tape.yaml'), [bye, turned, hello]);
  expect([replayed.answers, replayed.calls]).toEqual([['answer 2', 'answer 1', 'answer 1'], 0]);
  expect(replayed.cassette.drift()).toEqual({ used: 2, added: 0, unused: [], missed: [] });
});

test('each node, iteration and repetition has its own answer; within a run the same call is made once', async () => {
  const asks = [hello, { ...hello, line: 4 }, { ...hello, repeat: 1 }, { ...hello, node: 'a_2' }];
  const { answers, calls, text } = await ask('new', empty, asks);
  expect([answers, calls]).toEqual([['answer 1', 'answer 1', 'answer 2', 'answer 3'], 3]);
  expect(readCassette(text, 't').calls.map(({ node, repeat }) => `${node}/${repeat}`)).toEqual([
    'a_1/0',
    'a_2/0',
    'a_1/1',
  ]);
});

test.for<[CassetteMode, readonly string[], number, number]>([
  ['new', ['answer 1', 'answer 1'], 2, 1],
  ['all', ['answer 1', 'answer 2'], 2, 2],
  ['replay', ['answer 1', 'CassetteMiss'], 1, 0],
])('--record-mode %s', async ([mode, answers, kept, calls]) => {
  const { text } = await ask('new', empty, [hello]);
  const again = await ask(mode, readCassette(text, 'tape.yaml'), [hello, bye]);
  expect([again.answers, again.calls]).toEqual([answers, calls]);
  expect(again.cassette.content().calls).toHaveLength(kept);
});

test('the order of a cassette is that of rows and nodes, whatever ended first; what was there keeps its place', async () => {
  const first = await ask('new', empty, [bye, { ...hello, node: 'a_10' }, { ...hello, node: 'a_2' }]);
  const names = (text: string): readonly string[] => readCassette(text, 't').calls.map(({ node }) => node);
  expect(names(first.text)).toEqual(['a_2', 'a_10', 'a_1']);
  const more = await ask('new', readCassette(first.text, 't'), [{ ...hello, node: 'a_0' }]);
  expect(names(more.text)).toEqual(['a_2', 'a_10', 'a_1', 'a_0']);
  expect(more.text.startsWith(first.text.replace(/\.\.\.\n$/, '---\n'))).toBe(true);
});

test('a cassette has no connection that it does not name', () => {
  expect(new Cassette('replay', empty, 'tape.yaml', new Redactor()).connection('constructor')).toBeUndefined();
});

test('a call that is not there names the nearest and shows as drift', async () => {
  const { text } = await ask('new', empty, [hello, bye]);
  const near: Ask = { request: { ...hello.request, messages: [{ role: 'user', content: 'こんにちは、先生' }] } };
  const { cassette, answers } = await ask('replay', readCassette(text, 'tape.yaml'), [near, bye]);
  expect(answers).toEqual(['CassetteMiss', 'answer 2']);
  const { used, unused, missed } = cassette.drift();
  expect([used, unused.map(({ number }) => number), missed.map(({ nearest }) => nearest?.number)]).toEqual([
    1,
    [1],
    [1],
  ]);
});

test('a refusal is kept, a failure that may pass is not', async () => {
  const failing = (fail: string): Ask => ({ request: { fail } });
  const { text, answers } = await ask('new', empty, [failing('often'), failing('always')]);
  expect(answers).toEqual(['Busy', 'Filtered']);
  const replayed = await ask('replay', readCassette(text, 't'), [failing('often'), failing('always')]);
  expect(replayed.answers).toEqual(['CassetteMiss', 'Filtered']);
});

test('no secret is written: of the connection, or by its form', async () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.abcdefghijklmnop';
  const content = `key ${key}, ${token}, Bearer abcdefghijklmnopqrst, AKIAABCDEFGHIJKLMNOP`;
  const { text } = await ask('new', empty, [
    { request: { messages: [{ role: 'user', content }] } },
    { request: { fail: 'always' } },
  ]);
  expect(text).toContain('key ***, ***, Bearer ***, ***');
  expect(text).not.toContain('x.example');
  for (const secret of [key, token, 'abcdefghijklmnopqrst', 'AKIAABCDEFGHIJKLMNOP']) expect(text).not.toContain(secret);
});

const strange: readonly JsonValue[] = [
  'two\nlines',
  'ends\n',
  'ends twice\n\n',
  '\nstarts',
  '  indented\n less',
  'trailing  \nblanks  ',
  'tab\there\n\tand here',
  'carriage\r\nreturn',
  '---\n...\n# no comment',
  '---',
  '# no comment',
  ': {no: map}',
  'yes',
  'null',
  '1.0',
  '012',
  '2026-11-21',
  '',
  ' ',
  '"quoted" and \'quoted\'',
  '日本語の長い文。\n二行目「引用」：値',
  '\u0000\u0007\u2028\u{1F600}',
  '<<',
  '*alias',
  '!tag',
  'a\n---\nb',
  'a\u2028---\u2028b',
  '---\u2029',
  ' \n \n',
  '   \n\tafter blanks\n',
  '\n  \n text',
  { '': 1, 'a b': null, '---': [] },
  [[], {}, [[1]], new Float(2), 0.1, -3, 12345678901234567890n, true, false, null],
];

test.for(strange.map((value) => [stringifyJson(value), value] as const))('%s is read back as it was', ([, value]) => {
  const call: RecordedCall = {
    node: 'n',
    repeat: 0,
    connection: 'c',
    api: 'completion',
    request: { value, list: [value] },
    answer: { body: value },
  };
  const text = stringifyCassette({ connections: {}, calls: [call, call] });
  const { calls } = readCassette(text, 't');
  expect(calls).toEqual([call, call]);
  expect(callKey(calls[1] as RecordedCall)).toBe(callKey(call));
});

/** A call as text, with the answer in it. */
function answerOf(content: string): string {
  return `---\nnode: a\napi: chat\nrequest: {}\nreply: {role: assistant, content: ${content}}\n`;
}

test('a call that stands there twice with one answer is read; so is what has no last line of its own', () => {
  const text = `cassette: 1\n${['one', 'one'].map(answerOf).join('')}`;
  expect(readCassette(text, 't').calls).toHaveLength(2);
});

test('what another run recorded meanwhile stays, and its answers win', async () => {
  const { cassette } = await ask('new', empty, [hello]);
  const second: Ask = { ...hello, node: 'b' };
  const other = (await ask('new', empty, [second, hello, bye])).cassette.content();
  expect(cassette.otherAnswers(other)).toBe(1);
  expect(cassette.content(other).calls).toEqual(other.calls);
  const apart = (await ask('new', empty, [bye])).cassette.content();
  expect(cassette.otherAnswers(apart)).toBe(0);
  expect(cassette.content(apart).calls).toEqual([...apart.calls, ...cassette.content().calls]);
});

test.for([
  ['a: [', 't, document 1 cannot be read'],
  ['- 1', 't, document 1 is no mapping'],
  ['cassette: 2\n---\nnode: a\napi: completion\nrequest: {}\nreply: half\n', 't has lost its end'],
  ['cassette: 2\n', 't has lost its end'],
  [`cassette: 1\n${['one', 'two'].map(answerOf).join('')}`, 't, call 2: the call of node "a" that call 1 is'],
  ...[
    '5',
    '[1]',
    'text',
    '{role: assistant, content: 7}',
    '{role: assistant, tool_calls: 7}',
    '{role: assistant, tool_calls: [7]}',
  ].map(
    (reply) => [`cassette: 1\n---\nnode: a\napi: chat\nrequest: {}\nreply: ${reply}\n`, 't, call 1: "reply'] as const,
  ),
  ...[
    ['embedding', 'text', 'must be a list of numbers'],
    ['responses', 'null', 'must be a message, with role and content'],
    ['chat', '{role: assistant, contnet: yes}', 'has the unknown key "contnet": did you mean "content"?'],
  ].map(
    ([api, reply, told]) =>
      [`cassette: 1\n---\nnode: a\napi: ${api}\nrequest: {}\nreply: ${reply}\n`, `t, call 1: "reply" ${told}`] as const,
  ),
  ...['5', '[mine]', '{mine: 5}', '{mine: {type: 5}}'].map(
    (connections) => [`cassette: 1\nconnections: ${connections}\n`, 't, document 1: "connections" must be'] as const,
  ),
  ['cassette: 9', 't is no cassette of this release'],
  ['cassette: 1\n---\nnode: a\n', 't, call 1: expected "node", "api"'],
  ['cassette: 1\n---\nnode: a\napi: chat\nrequest: {}\n', 't, call 1: expected "reply" or "error"'],
  ...[
    ['usage: {prompt_tokens: 1.5}', '"usage.prompt_tokens" must be a count of tokens'],
    ['usage: {prompt_tokens: -1}', '"usage.prompt_tokens" must be a count of tokens'],
    ['usage: {completion_tokens: 1e300}', '"usage.completion_tokens" must be a count of tokens'],
    ['usage: {completion_tokens: null}', '"usage.completion_tokens" must be a count of tokens'],
    ['usage: {cached_tokens: many}', '"usage.cached_tokens" must be a count of tokens'],
    ['error: boom', '"error" must be a mapping with code and message'],
    ['error: {code: X}', 'a call has "reply" or "error", not both'],
    ['usage: 5', '"usage" must be a mapping of counts of tokens'],
    ['usge: {prompt_tokens: 1}', 'unknown key "usge": did you mean "usage"?'],
    ['zork: 1', 'unknown key "zork": a call has node, repeat,'],
    ['repeat: x', '"repeat" must be the number of a repetition'],
  ].map(
    ([line, told]) =>
      [`cassette: 1\n---\nnode: a\napi: completion\nrequest: {}\nreply: x\n${line}\n`, `t, call 1: ${told}`] as const,
  ),
] as const)('%j is no cassette', ([text, message]) => {
  expect(() => readCassette(text, 't')).toThrow(CassetteError);
  expect(() => readCassette(text, 't')).toThrow(message);
});

test('rows that ask the same but for their secrets share an answer without the secret of either', async () => {
  const echo = async () => ({
    async call(_api: string, request: ModelRequest): Promise<ModelResult> {
      return { ok: true, reply: { body: { role: 'assistant', content: `you said ${request['say']}` } } };
    },
  });
  const redactor = new Redactor();
  const cassette = new Cassette('new', empty, 'tape.yaml', redactor);
  const service = await cassette.serviceOpener(echo)(connection);
  const secrets = ['first-row-secret-1', 'other-row-secret-2'];
  const results = await Promise.all(
    secrets.map((secret, line) =>
      service?.call(
        'chat',
        { say: secret },
        {
          signal: new AbortController().signal,
          caller: { node: 'a', line, repeat: 0 },
          redactor: redactor.with([secret]),
        },
      ),
    ),
  );
  const contents = results.map((result) => (result?.ok === true ? result.reply.body : undefined));
  expect(contents[0]).toMatchObject({ content: `you said ${secrets[0]}` });
  expect(contents[1]).toMatchObject({ content: 'you said ***' });
  const text = stringifyCassette(cassette.content());
  for (const secret of secrets) expect(text).not.toContain(secret);
});
