import { expect, test } from 'vitest';
import type { JsonValue } from '../value/json.ts';
import { imagesOfRecord } from './images-of-record.ts';

const bytes = { 'data:image/gif;base64': 'R0lGODlh' };
const address = { 'data:image/*;url': 'https://a/b.gif' };
const asUrl = (url: string): JsonValue => ({ type: 'image_url', image_url: { url } });

test.each<[JsonValue, JsonValue]>([
  [bytes, asUrl('data:image/gif;base64,R0lGODlh')],
  [
    [{ deep: address }, 1],
    [{ deep: asUrl('https://a/b.gif') }, 1],
  ],
  [{ 'data:image/gif;path': 'a.gif' }, { 'data:image/gif;path': 'a.gif' }],
  [
    { 'data:image/gif;base64': 'R0lGODlh', more: 1 },
    { 'data:image/gif;base64': 'R0lGODlh', more: 1 },
  ],
  [null, null],
])('%j', (recorded, read) => {
  expect(imagesOfRecord(recorded, 'openai-vision')).toEqual(read);
  expect(imagesOfRecord(recorded, 'basic')).toBe(recorded);
});
