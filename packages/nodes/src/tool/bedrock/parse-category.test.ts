import { expect, test } from 'vitest';
import { parseCategory } from './parse-category.ts';

test.for([
  { completion: '<Category>d</Category>', read: { isValid: true, rationale: '', category: 'D' } },
  {
    completion: '<THINKING>C or <category>D</category>?</THINKING>\n< category > c </ category >',
    read: { isValid: false, rationale: 'C or <category>D</category>?', category: 'C' },
  },
])('the case of tags and spaces in them do not matter: $completion', ({ completion, read }) => {
  expect(parseCategory(completion)).toEqual(read);
});

test('an answer to a question is valid only where one was asked', () => {
  expect(parseCategory('<category>E</category>', false).isValid).toBe(false);
  expect(parseCategory('<category>E</category>', true).isValid).toBe(true);
});
