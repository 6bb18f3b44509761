import { expect, test } from 'vitest';
import { ToldLines } from './told-lines.ts';

test('each line is said once, whatever is said between', () => {
  const said: string[] = [];
  const told = new ToldLines((line) => said.push(line));
  for (const line of ['connection refused', 'read-only', 'connection refused', 'read-only']) told.tell(line);
  expect(said).toEqual(['connection refused', 'read-only']);
});
