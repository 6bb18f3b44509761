import { expect, test } from 'vitest';
import { isConverting } from './is-converting.ts';

test.for([
  { name: 'Enter alone', isComposing: false, keyCode: 13, expected: false },
  { name: 'Enter within a conversion, in Chromium and Firefox', isComposing: true, keyCode: 229, expected: true },
  { name: 'Enter that ends a conversion, in Safari', isComposing: false, keyCode: 229, expected: true },
])('$name', ({ isComposing, keyCode, expected }) => {
  expect(isConverting({ isComposing, keyCode })).toBe(expected);
});
