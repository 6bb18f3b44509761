import { Float } from '../value/float.ts';

export const escapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

export function codePoints(text: string): number {
  return [...text].length;
}

export function removedReturns(source: string): readonly number[] {
  const offsets: number[] = [];
  for (const found of source.matchAll(/\r\n/g)) offsets.push(found.index - offsets.length);
  return offsets;
}

export function floatValue(text: string): unknown {
  const value = Number(text.replaceAll('_', ''));
  return Number.isInteger(value) ? new Float(value) : value;
}

export function integerValue(text: string): unknown {
  const plain = text.replaceAll('_', '').toLowerCase();
  const value = Number(plain);
  return Number.isSafeInteger(value) ? value : BigInt(plain);
}
