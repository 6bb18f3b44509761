import { expect, test } from 'vitest';
import type { JsonValue } from '../value/json.ts';
import { resolveImagePaths } from './resolve-image-paths.ts';

test.for<readonly [JsonValue, JsonValue]>([
  ['a.png', 'a.png'],
  [{ 'data:image/png;path': 'a.png' }, { 'data:image/png;path': '/data/a.png' }],
  [{ 'data:image/png;path': '/x/a.png' }, { 'data:image/png;path': '/x/a.png' }],
  [{ 'data:image/png;url': 'a.png' }, { 'data:image/png;url': 'a.png' }],
  [
    ['q', { in: [{ 'data:image/gif;path': 'b/a.gif' }] }],
    ['q', { in: [{ 'data:image/gif;path': '/data/b/a.gif' }] }],
  ],
  [{ path: 'a.png' }, { path: 'a.png' }],
])('%j', ([value, resolved]) => {
  expect(resolveImagePaths(value, '/data', 'basic')).toEqual(resolved);
});

test('the form of openai-vision, and values without images as they are', () => {
  const written = { type: 'image_file', image_file: { path: 'a.png' } };
  const resolved = { type: 'image_file', image_file: { path: '/data/a.png' } };
  expect(resolveImagePaths([written], '/data', 'openai-vision')).toEqual([resolved]);
  const plain = { a: [1, { b: 'c' }] };
  expect(resolveImagePaths(plain, '/data', 'basic')).toBe(plain);
});
