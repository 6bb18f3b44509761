import { expect, test } from 'vitest';
import { picturesIn, withShortPictures } from './pictures-in.ts';

test.for([
  { value: { said: 'data:image/png;base64,AAAA is how it begins' }, pictures: [] },
  { value: { 'data:image/png;base64': 'iVBORw0=' }, pictures: ['data:image/png;base64,iVBORw0='] },
  {
    value: [{ a: { 'data:image/jpeg;base64': '/9j/' } }, { b: { 'data:image/jpeg;base64': '/9j/' } }],
    pictures: ['data:image/jpeg;base64,/9j/'],
  },
  {
    value: { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lGOD' } },
    pictures: ['data:image/gif;base64,R0lGOD'],
  },
  { value: { 'data:image/png;path': 'a.png' }, pictures: [] },
  { value: { 'data:image/png;url': 'https://example.com/a.png' }, pictures: [] },
  { value: { 'data:text/html;base64': 'AAAA' }, pictures: [] },
])('pictures in $value', ({ value, pictures }) => {
  expect(picturesIn(JSON.stringify(value, null, 2))).toEqual(pictures);
});

test.for([
  { value: { 'data:image/png;base64': 'A'.repeat(99) }, shown: { 'data:image/png;base64': `${'A'.repeat(16)}…` } },
  {
    value: { url: `data:image/gif;base64,${'A'.repeat(98)}==` },
    shown: { url: `data:image/gif;base64,${'A'.repeat(16)}…` },
  },
  { value: { 'data:image/png;base64': 'iVBORw0=' }, shown: { 'data:image/png;base64': 'iVBORw0=' } },
  { value: { said: 'A'.repeat(99) }, shown: { said: 'A'.repeat(99) } },
])('$value is shown as $shown', ({ value, shown }) => {
  expect(withShortPictures(JSON.stringify(value, null, 2))).toBe(JSON.stringify(shown, null, 2));
});
