import { expect, test } from 'vitest';
import { mayPass } from './describe-thrown.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });

test.for<readonly [what: string, thrown: unknown, passes: boolean]>([
  ['fetch that reaches nobody', new TypeError('fetch failed', { cause: refused }), true],
  ['the addresses of one name', new TypeError('fetch failed', { cause: new AggregateError([refused]) }), true],
  ['what wraps it', new Error('search failed', { cause: new TypeError('fetch failed', { cause: refused }) }), true],
  ['a time-out', new DOMException('The operation was aborted due to timeout', 'TimeoutError'), true],
  ['a mistake of the code', new TypeError('x is not a function'), false],
  ['a file that is not there', Object.assign(new Error('ENOENT'), { code: 'ENOENT' }), false],
  ['a proxy', new Proxy(refused, {}), false],
  [
    'a getter that throws',
    {
      get cause() {
        throw new Error('no');
      },
    },
    false,
  ],
  ['null', null, false],
])('whether another try may pass: %s', ([, thrown, passes]) => {
  expect(mayPass(thrown)).toBe(passes);
});
