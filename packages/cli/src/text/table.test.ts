import { expect, test } from 'vitest';
import { table } from './table.ts';

const columns = [{ title: 'node' }, { title: 'completed', isNumber: true }];
const rows = [
  [{ text: 'とても長い名前のノードです' }, { text: '12' }],
  [{ text: 'short' }, { text: '3' }],
];
const plain = (text: string): string => text;

test('a table that is wider than the terminal has its first column cut', () => {
  expect(table(columns, rows, plain)).toBe(
    'node                        completed\nとても長い名前のノードです         12\nshort                               3\n',
  );
  expect(table(columns, rows, plain, 26)).toBe(
    'node             completed\nとても長い名前…         12\nshort                    3\n',
  );
  expect(table(columns, rows, plain, 5)).toBe(
    'node          completed\nとても長い…          12\nshort                 3\n',
  );
});
