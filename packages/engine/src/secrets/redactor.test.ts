import { expect, test } from 'vitest';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { Redactor, redactorOf } from './redactor.ts';

function knowing(...secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.learn(secret);
  return redactor;
}

const key = 'a1b2c3d4e5f6';
const odd = 'p"a\\s\'s+w/o=r&d\n<7>';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.for<readonly [about: string, secrets: readonly string[], text: string, told: string]>([
  ['as it is', [key], `the key ${key}.`, 'the key ***.'],
  ['twice', [key], `${key} ${key}`, '*** ***'],
  ['within a word', [key], `x${key}x`, 'x***x'],
  ['nothing known', [], key, key],
  ['an empty one', [''], 'connection failed', 'connection failed'],
  ['one of white space', ['  \n '], 'a    b', 'a    b'],
  ['one of 3 characters', ['k3y'], 'k3y k3y', 'k3y k3y'],
  ['a short one, alone', ['pa55'], 'it is pa55, spa55 is not', 'it is ***, spa55 is not'],
  ['a short one in Japanese', ['pa55'], '鍵はpa55です', '鍵は***です'],
  ['a short word', ['blue'], 'blue sky', 'blue sky'],
  ['a short number', ['1234'], '1234 rows', '1234 rows'],
  ['a word that is a password', ['sunflower'], 'sunflower, sunflowers', '***, sunflowers'],
  ['a placeholder', ['EMPTY'], 'EMPTY list', 'EMPTY list'],
  ['a placeholder in brackets', ['<your api key>'], 'put <your api key> here', 'put <your api key> here'],
  ['white space round it', [` ${key}\n`], `got ${key}`, 'got ***'],
  ['one within another', [key, `${key}-long`], `${key}-long`, '***'],
  ['two that overlap', ['abcdefgh12', 'gh12zzzz99'], 'x abcdefgh12zzzz99 y', 'x *** y'],
  ['two side by side', ['abcdefgh12', 'zzzzzzzz99'], 'abcdefgh12zzzzzzzz99', '******'],
  ['signs of regular expressions', ['$a.*(b)+[c]^{d}|?\\1'], 'x $a.*(b)+[c]^{d}|?\\1 y', 'x *** y'],
  ['Japanese', ['秘密のあいことば7'], '合言葉は秘密のあいことば7です', '合言葉は***です'],
  ['Japanese as ASCII JSON', ['秘密のあいことば7'], '\\u79d8\\u5bc6\\u306e\\u3042\\u3044\\u3053\\u3068\\u30707', '***'],
  ['in JSON', [odd], JSON.stringify({ a: odd }), '{"a":"***"}'],
  ['in JSON within JSON', [odd], JSON.stringify([JSON.stringify([odd])]), '["[\\"***\\"]"]'],
  ['in JSON of .NET', ['ab+cd&ef<1>'], 'ab\\u002Bcd\\u0026ef\\u003C1\\u003E', '***'],
  ['in JSON with \\/', ['ab/cd/ef/1'], 'ab\\/cd\\/ef\\/1', '***'],
  ['as Python prints it', ["it's 5 o'clock\n"], String.raw`{'k': 'it\'s 5 o\'clock'}`, "{'k': '***'}"],
  ['in an address', [odd], `?k=${encodeURIComponent(odd)}`, '?k=***'],
  ['in an address, small letters', ['ab+cd/ef=1'], 'k=ab%2bcd%2fef%3d1', 'k=***'],
  ['in a form', ['open sesame 7!'], 'k=open+sesame+7%21', 'k=***'],
  ['in HTML', [`a<b>&"c"'d'1`], 'a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;1', '***'],
  ['its base64', [key], base64(key), '***'],
  ['after its user, as base64', ['open sesame 7'], `Basic ${base64('me:open sesame 7')}`, 'Basic bWU6***w=='],
  [
    'the key of a connection string',
    ['AccountName=n;AccountKey=ab12cd34ef==;EndpointSuffix=x'],
    'key ab12cd34ef== of n',
    'key *** of n',
  ],
  [
    'the signature of a signed address',
    ['https://h/p?sv=2024&sig=ab%2Bcd12345%3D'],
    'sig ab+cd12345= or ab%2Bcd12345%3D',
    'sig *** or ***',
  ],
  [
    'the signature of a query',
    ['?sv=2024&sig=ab%2Bcd12345%3D'],
    'sig ab+cd12345= or ab%2Bcd12345%3D',
    'sig *** or ***',
  ],
  ['the password of an address', ['postgres://me:p%40ss-word1@h/db'], 'password p@ss-word1', 'password ***'],
  [
    'a key of JSON credentials',
    ['{"project":"p1","private_key":"line-1-of-the-key\\nline-2-of-the-key"}'],
    'line-2-of-the-key of p1',
    '*** of p1',
  ],
  [
    'a line of a PEM key',
    ['-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----'],
    'hkiG9w0BAQEFAASC',
    '***',
  ],
])('known secrets: %s', ([, secrets, text, told]) => {
  const redactor = knowing(...secrets);
  expect(redactor.text(text)).toBe(told);
  expect(redactor.text(told)).toBe(told);
});

test('a secret that stands a million times in one text', () => {
  const times = 1_000_000;
  expect(knowing(key).text(`${key} `.repeat(times)) === '*** '.repeat(times)).toBe(true);
});

test('the base64 of user and password tells nothing of the password', () => {
  const password = 'open sesame 7';
  for (const user of ['', 'm', 'me', 'you', 'someone']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const told = knowing(password).text(`Basic ${Buffer.from(`${user}:${password}`).toString(encoding)}`);
      expect(told).toContain('***');
      expect(Buffer.from(told.replace('Basic ', '').replace('***', ''), encoding).toString('latin1')).not.toMatch(
        /[a-z]{3} s|sesame/,
      );
    }
  }
});

test.for<readonly [value: JsonValue, told: JsonValue]>([
  [
    { a: [`x ${key}`, { [key]: 1 }], b: 2 },
    { a: ['x ***', { '***': 1 }], b: 2 },
  ],
  [key, '***'],
  [
    [null, true, 1.5, 10n, new Float(2)],
    [null, true, 1.5, 10n, new Float(2)],
  ],
])('a value is redacted in depth, keys too', ([value, told]) => {
  expect(knowing(key).value(value)).toEqual(told);
});

test('what holds no secret stays the same object', () => {
  const clean = { a: ['b', { c: new Float(1) }] };
  const mixed = { clean, dirty: [key] };
  const redactor = knowing(key);
  expect(redactor.value(clean)).toBe(clean);
  expect(redactor.value(mixed).clean).toBe(clean);
  expect([redactor.isIn(clean), redactor.isIn(mixed)]).toEqual([false, true]);
});

test('a key __proto__ stays a key', () => {
  const value = JSON.parse(`{"__proto__": "${key}"}`) as JsonValue;
  expect(JSON.stringify(knowing(key).value(value))).toBe('{"__proto__":"***"}');
});

test.for([1, 2, 3, 5, 8, 100])('a secret that comes in pieces of %i', (size) => {
  const redactor = knowing(key, `${key}-and-more`, 'f6zzzzzz99', 'pa55');
  for (const text of [
    `the key ${key} is told`,
    `${key}-and-mor`,
    `${key}-and-more`,
    `x${key.slice(0, -1)}`,
    `${key}zzzzzz99 ${key}${key}`,
    'pa55 spa55 pa55s pa55',
  ]) {
    const stream = redactor.stream();
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    const told = [...pieces.map((piece) => stream.push(piece)), stream.end()];
    expect(told.join('')).toBe(redactor.text(text));
  }
});

test('pieces go through at the end of a word, whatever the word is', () => {
  const stream = knowing(key).stream();
  expect(['one ', 'two', 'a1b', '! ', 'a1'].map((piece) => stream.push(piece))).toEqual([
    'one ',
    '',
    '',
    'twoa1b! ',
    '',
  ]);
  expect(stream.end()).toBe('a1');
});

test('what is secret in a connection', () => {
  const redactor = redactorOf({
    configs: {
      api_base: 'https://me:open-sesame-7@h/v1?code=code-of-h-1',
      api_key_name: 'x-api-key',
      api_key: 'key-in-configs-1',
      api_version: '2024-02-01',
    },
    secrets: { api_key: 'key-of-c-1', session_token: '' },
  });
  expect(redactor.text('open-sesame-7 code-of-h-1 x-api-key key-in-configs-1 2024-02-01 key-of-c-1')).toBe(
    '*** *** x-api-key *** 2024-02-01 ***',
  );
});

test('what is secret in the environment', () => {
  const redactor = new Redactor();
  redactor.learnEnvironment({
    SOME_API_KEY: 'value-of-key-1',
    DATABASE_URL: 'postgres://me:open-sesame-7@h/db',
    TOKENIZERS_PARALLELISM: 'false123',
    SECRET_NAME: 'production',
    KEY_FILE: '/etc/keys/key1',
    KEYBOARD: 'japanese106',
    PWD: '/home/me1',
    HOME: '/home/me1234',
    GIT_TOKEN: undefined,
    DB_PASSWORD: 'correct-horse-battery',
    STORAGE_CONNECTION_STRING: 'AccountName=n;AccountKey=abcd1234efgh==',
    SQL_CONNECTION_STRING: 'Server=tcp:h,1433; Database=d; Password=open sesame 8;',
    CLOUD_CREDENTIALS: '{"project": "project-1", "private_key": "key-of-cloud-1"}',
    AUTH_TOKEN: 'disabled',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20cGstMTpzay0y, x-tenant=ours, x-collector=collect-me-9',
  });
  for (const secret of [
    'value-of-key-1',
    'open-sesame-7',
    'correct-horse-battery',
    'abcd1234efgh==',
    'open sesame 8',
    'key-of-cloud-1',
    'cGstMTpzay0y',
    'collect-me-9',
  ]) {
    expect(redactor.text(`is ${secret}.`)).toBe('is ***.');
  }
  const others =
    'false123 production /etc/keys/key1 japanese106 /home/me1 disabled project-1 Server=tcp:h,1433; AccountName=n';
  expect(redactor.text(others)).toBe(others);
});

test('values of a run without connections cost nothing', () => {
  const value = Object.defineProperty({}, 'read', {
    enumerable: true,
    get: () => {
      throw new Error('read');
    },
  });
  expect(new Redactor().value(value as JsonValue)).toBe(value);
});

test('one with more secrets knows those of its base, later ones too, and tells the base none of its own', () => {
  const base = knowing('base-secret-1');
  const row = base.with(['row-secret-22']);
  const text = 'base-secret-1 row-secret-22 later-secret-3';
  expect(row.text(text)).toBe('*** *** later-secret-3');
  base.learn('later-secret-3');
  expect(row.text(text)).toBe('*** *** ***');
  expect(base.text(text)).toBe('*** row-secret-22 ***');
  expect(base.with(['other-secret-4']).text(text)).toBe('*** row-secret-22 ***');
});

test('secrets of a row and of its base that overlap are one', () => {
  const row = knowing('abcdefgh12').with(['gh12zzzz99']);
  expect(row.text('x abcdefgh12zzzz99 y')).toBe('x *** y');
  const stream = row.stream();
  const told = ['x abcd', 'efgh12zz', 'zz99 y'].map((piece) => stream.push(piece)).join('') + stream.end();
  expect(told).toBe('x *** y');
});

test('one whose base knows nothing knows its own', () => {
  expect(new Redactor().with(['row-secret-22']).isEmpty).toBe(false);
  expect(new Redactor().with([]).isEmpty).toBe(true);
});

test.for<readonly [about: string, hidden: string, text: string, told: string]>([
  ['a short word', 'Ann', 'Ann and Anna', '*** and Anna'],
  ['a number', '42', '42 of 421', '*** of 421'],
  ['a name in Japanese', '鈴木', '鈴木さんは', '***さんは'],
  ['a long text', 'a text of its own', 'it is a text of its own.', 'it is ***.'],
  ['one character', 'a', 'a text', 'a text'],
  ['a placeholder', 'none', 'none at all', 'none at all'],
])('hidden whatever it is: %s', ([, hidden, text, told]) => {
  expect(new Redactor().withShort([hidden]).text(text)).toBe(told);
});
