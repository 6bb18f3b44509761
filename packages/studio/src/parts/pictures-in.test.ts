import { expect, test } from 'vitest';
import { picturesIn } from './pictures-in.ts';

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
