import { expect, test } from 'vitest';
import { withImageNames } from './image-names.ts';

const picture = { 'data:image/png;base64': 'iVBORw0KGgo=' };
const name = 'Image(4caece53)';

test.for([
  { value: picture, told: name },
  {
    value: { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
    told: name,
  },
  { value: { a: [picture, 1], b: { c: picture } }, told: { a: [name, 1], b: { c: name } } },
  {
    value: { 'data:image/png;url': 'https://a.example/b.png' },
    told: { 'data:image/png;url': 'https://a.example/b.png' },
  },
  { value: { 'data:image/png;base64': 'no base64!' }, told: { 'data:image/png;base64': 'no base64!' } },
  { value: { ...picture, more: 1 }, told: { ...picture, more: 1 } },
  { value: 'text', told: 'text' },
])('$value is told as $told', ({ value, told }) => {
  expect(withImageNames(value)).toEqual(told);
});

test('a value without pictures is the same', () => {
  const value = { a: [1, { b: null }] };
  expect(withImageNames(value)).toBe(value);
});
