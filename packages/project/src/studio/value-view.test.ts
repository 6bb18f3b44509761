import { expect, test } from 'vitest';
import { valueView } from './value-view.ts';

const bytes = 'A'.repeat(30_000);

test.for([
  { value: { 'data:image/png;base64': bytes }, holdsPictures: true },
  { value: { text: 'x'.repeat(30_000), image: { url: `data:image/png;base64,${bytes}` } }, holdsPictures: true },
  { value: { 'data:image/png;base64': 'AAAA' }, holdsPictures: undefined },
  { value: { text: 'x'.repeat(30_000) }, holdsPictures: undefined },
  { value: `data:image/png;base64 ${bytes}`, holdsPictures: undefined },
])('a cut value tells whether it holds pictures (%#)', ({ value, holdsPictures }) => {
  expect(valueView(value, 'row.inputs').holdsPictures).toBe(holdsPictures);
});
