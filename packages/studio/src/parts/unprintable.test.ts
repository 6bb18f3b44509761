import { expect, test } from 'vitest';
import { unprintableName, unprintables } from './unprintable.ts';

test.for([
  ['plain text, 日本語 and\ta tab\nand a line', ['plain text, 日本語 and\ta tab\nand a line']],
  ['\u001b[31mred', ['', 'ESC', '[31mred']],
  ['a\u202etxt.exe', ['a', 'RLO', 'txt.exe']],
  ['\u0000\u0085\ufeff', ['', 'NUL', '', 'U+0085', '', 'BOM', '']],
  ['👩\u200d👧 می\u200cخواهم', ['👩\u200d👧 می\u200cخواهم']],
] as const)('%j', ([text, parts]) => {
  expect(text.split(unprintables).map((part, index) => (index % 2 === 0 ? part : unprintableName(part)))).toEqual(
    parts,
  );
});
