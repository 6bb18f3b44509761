import { expect, test } from 'vitest';
import { secretPatterns, withoutKeys } from './secret-patterns.ts';

const cases: Readonly<Record<string, readonly (readonly [text: string, told: string])[]>> = {
  'private keys (PEM)': [
    ['x -----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd==\n-----END RSA PRIVATE KEY----- y', 'x *** y'],
    ['-----BEGIN PRIVATE KEY-----\\nMIIEcut', '***'],
  ],
  'the header Authorization': [
    ['authorization: Bearer abc1234567', 'authorization: Bearer ***'],
    ["{'Authorization': 'Basic bWU6b3Blbg=='}", "{'Authorization': 'Basic ***'}"],
    ['{"Authorization":"a1b2c3"}', '{"Authorization":"***"}'],
    ['"{\\"Authorization\\": \\"Bearer a1b2c3\\"}"', '"{\\"Authorization\\": \\"Bearer ***\\"}"'],
    [
      'Authorization: AWS4-HMAC-SHA256 Credential=AKIA123/x, SignedHeaders=host',
      'Authorization: AWS4-HMAC-SHA256 ***, SignedHeaders=host',
    ],
    ['Authorization: header is missing', 'Authorization: header is missing'],
  ],
  'headers that carry a key': [
    ['api-key: k1', 'api-key: ***'],
    ['"x-api-key": "0a1b", "accept": "2"', '"x-api-key": "***", "accept": "2"'],
    ['Ocp-Apim-Subscription-Key=0123abc', 'Ocp-Apim-Subscription-Key=***'],
    ['the header api-key: missing', 'the header api-key: missing'],
  ],
  cookies: [
    ['Set-Cookie: id=abc; Path=/\nother: 1', 'Set-Cookie: ***\nother: 1'],
    ['cookie: none', 'cookie: none'],
  ],
  'bearer tokens': [
    ['refused Bearer a1b2c3d4e5 twice', 'refused Bearer *** twice'],
    ['Bearer abcdefghijklmnopqrstuvwx', 'Bearer ***'],
    ['a Bearer authentication error', 'a Bearer authentication error'],
  ],
  'credentials of Basic': [
    ['sent Basic bWU6b3BlbiBzZXNhbWU=', 'sent Basic ***'],
    ['Basic understanding', 'Basic understanding'],
  ],
  'keys of OpenAI and Anthropic': [
    ['key sk-proj-abc1234567_x.', 'key ***.'],
    ['key sk-abcd****wxyz.', 'key ***.'],
    ['an sk-estimator', 'an sk-estimator'],
  ],
  'keys that a service has starred': [
    ['Incorrect API key provided: my-k*****1234. See', 'Incorrect API key provided: *** See'],
  ],
  'JSON web tokens': [['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl!', 'got ***!']],
  'access keys of AWS': [['AKIAIOSFODNN7EXAMPLE is unknown', '*** is unknown']],
  'tokens of GitHub, GitLab, Slack, Google and Hugging Face': [
    [`ghp_${'a1'.repeat(18)} hf_${'a1'.repeat(15)} xoxb-12345-abcde AIza${'a1-b_'.repeat(7)}`, '*** *** *** ***'],
  ],
  'parameters of an address that carry a key': [
    ['https://h/p?api-key=abcdef12&v=1', 'https://h/p?api-key=***&v=1'],
    ['https://h/p?sv=1&sig=ab%2Bcd1234 failed', 'https://h/p?sv=1&sig=*** failed'],
    ['https://h/f?code=abcdefgh12==', 'https://h/f?code=***'],
    ['?code=404', '?code=404'],
    ['?X-Amz-Signature=0123456789abcdef', '?X-Amz-Signature=***'],
    ['?monkey=capuchin-1', '?monkey=capuchin-1'],
  ],
  'keys of a connection string': [['AccountName=n;AccountKey=abc123==;X=1', 'AccountName=n;AccountKey=***;X=1']],
  'the password of an address': [
    ['redis://:pa55@h:6379 refused', 'redis://:***@h:6379 refused'],
    ['https://me:pa55word@h/ refused', 'https://me:***@h/ refused'],
    ['http://127.0.0.1:80/a@b', 'http://127.0.0.1:80/a@b'],
  ],
};

test('every pattern has its cases', () => {
  expect(Object.keys(cases)).toEqual(secretPatterns.map(({ about }) => about));
});

test.for(Object.entries(cases).flatMap(([about, texts]) => texts.map(([text, told]) => [about, text, told] as const)))(
  '%s: %s',
  ([, text, told]) => {
    expect(withoutKeys(text)).toBe(told);
    expect(withoutKeys(told)).toBe(told);
  },
);

test('ordinary texts stay', () => {
  const text =
    'Bearer of good news; basic: 1 + 1 = 2. Code 404 at https://h/a?page=12345678&sort=key-names#x. Password must not be empty: 8 characters. スキーマ sk-1 のエラー';
  expect(withoutKeys(text)).toBe(text);
});

test.for([
  'eyJ-',
  'sk-',
  'Bearer ',
  '-----BEGIN PRIVATE KEY-----',
  '?key=',
  'authorization: ',
  'a:',
  'x://',
  'AIza',
  '\\"',
  ' ',
  '*',
])('a million characters of %j are read in no more than seconds', (piece) => {
  const text = piece.repeat(1_000_000 / piece.length);
  const before = performance.now();
  withoutKeys(text);
  expect(performance.now() - before).toBeLessThan(5_000);
});
