import type { JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { readableValue } from './readable-value.ts';

const picture = { 'data:image/png;base64': 'iVBORw0KGgo=' };

test.for<[JsonValue, string]>([
  ['a\nb', 'a\nb'],
  [{ a: 1 }, '{\n  "a": 1\n}'],
  [picture, 'Image(4caece53)'],
  [[picture], '[\n  "Image(4caece53)"\n]'],
  [null, 'null'],
])('%j reads as %s', ([value, text]) => {
  expect(readableValue(value)).toBe(text);
});
