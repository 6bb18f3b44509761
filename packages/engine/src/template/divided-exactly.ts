import { raise } from './template-error.ts';

/** Python's `/` of two ints: the float nearest to the quotient, however long both are. */
export function dividedExactly(a: number | bigint, b: number | bigint): number {
  if (isExact(a) && isExact(b)) return Number(a) / Number(b);
  const [x, y] = [BigInt(a), BigInt(b)];
  const size = quotientOf(x < 0n ? -x : x, y < 0n ? -y : y);
  if (!Number.isFinite(size)) return raise('OverflowError', 'integer division result too large for a float');
  return x < 0n === y < 0n ? size : -size;
}

function isExact(value: number | bigint): boolean {
  return typeof value === 'number' ? Number.isSafeInteger(value) : BigInt.asIntN(54, value) === value;
}

/** More bits than a float holds, the last of which says whether there are more: rounded once, where `Number` reads them. */
const keptBits = 66;

function quotientOf(x: bigint, y: bigint): number {
  const shift = keptBits - (length(x) - length(y));
  const [top, bottom] = shift > 0 ? [x << BigInt(shift), y] : [x, y << BigInt(-shift)];
  const rest = top % bottom === 0n ? 0n : 1n;
  return Number((top / bottom) | rest) * 2 ** -shift;
}

function length(value: bigint): number {
  return value.toString(16).length * 4;
}
