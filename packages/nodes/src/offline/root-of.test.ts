import { expect, test } from 'vitest';
import { rootOf } from './root-of.ts';

test.for([
  'use uses used using',
  'erase erases erased erasing',
  'company companies',
  'notify notifies notified',
  'stop stops stopped stopping',
  'add adds added adding',
  'meeting meetings',
  'cookie cookies',
  'address addresses addressed',
  'business businesses',
  'anonymise anonymize anonymised anonymous anonymously',
  'organization organisation organisations',
  "child child's",
])('%s have one root', (forms) => {
  expect(new Set(forms.split(' ').map(rootOf)).size).toBe(1);
});

test.for(['thing', 'need', 'feed', 'bus', 'data', 'law'])('%s has no ending', (word) => {
  expect(rootOf(word)).toBe(word);
});
