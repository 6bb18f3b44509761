import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { EngineKey, engineKeyOf, requireKey } from './engine-key.ts';

const written = randomBytes(32).toString('base64');

test('what is sealed is opened by its key, as what it is, unchanged; nobody reads it there', () => {
  const key = new EngineKey(Buffer.from(written, 'base64'));
  for (const text of ['', 'sk-秘密', 'x'.repeat(100_000)]) {
    const sealed = key.seal(Buffer.from(text), 'run r');
    expect(Buffer.from(key.open(sealed, 'run r')).toString()).toBe(text);
    expect(Buffer.from(sealed).includes('sk-')).toBe(false);
    expect(key.seal(Buffer.from(text), 'run r')).not.toEqual(sealed);
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const refused = 'what is sealed (run r) is not what was sealed with this key';
    expect(() => key.open(changed, 'run r')).toThrow(refused);
    expect(() => key.open(sealed, 'run s')).toThrow('what is sealed (run s)');
    expect(() => new EngineKey(randomBytes(32)).open(sealed, 'run r')).toThrow(refused);
  }
});

test.for(['short', `${written}x`, written.slice(0, -1), randomBytes(16).toString('base64')])(
  'FLOW_ENGINE_KEY=%s is no key',
  (text) => {
    expect(() => engineKeyOf({ FLOW_ENGINE_KEY: text })).toThrow('FLOW_ENGINE_KEY is not a key: 32 bytes in base64');
  },
);

test('a run names its key: none, or another, is told', () => {
  const [none, key] = [engineKeyOf({ FLOW_ENGINE_KEY: '' }), engineKeyOf({ FLOW_ENGINE_KEY: written })];
  expect(none).toBeUndefined();
  expect(requireKey(key?.id ?? '', key)).toBe(key);
  expect(() => requireKey('000000000000', none)).toThrow('it has no FLOW_ENGINE_KEY');
  expect(() => requireKey('000000000000', key)).toThrow(`its FLOW_ENGINE_KEY is another (${key?.id})`);
});
