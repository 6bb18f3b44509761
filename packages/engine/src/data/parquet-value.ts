import type { SchemaElement, SchemaTree } from 'hyparquet';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';

/** A cell as JSON has it, by what the file's schema says of it at each depth: 1.0 in a list of doubles stays a float. */
export function parquetValue(cell: unknown, node: SchemaTree): JsonValue {
  if (cell === null || cell === undefined) return null;
  if (cell instanceof Float || typeof cell === 'boolean') return cell;
  if (typeof cell === 'string') return isInUtc(node.element) ? `${cell}+00:00` : cell;
  if (typeof cell === 'number' || typeof cell === 'bigint') return numberValue(cell, node.element);
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('base64');
  if (Array.isArray(cell)) return cell.map((item) => parquetValue(item, itemOf(node)));
  return Object.fromEntries(
    Object.entries(cell).map(([name, item]) => [name, parquetValue(item, memberOf(node, name))]),
  );
}

/** As Python's `str` writes a time stamp of pandas, which is what a flow's input of type string gets there. */
export function timeStampText(units: bigint, perSecond: bigint): string {
  const rest = remainder(units, perSecond);
  const [date = ''] = new Date(Number((units - rest) / perSecond) * 1000).toISOString().split('.');
  return date.replace('T', ' ') + fractionText(rest * (1_000_000_000n / perSecond));
}

/** As Python's `str` writes a `datetime.time`, which counts microseconds. */
function clockText(units: bigint, perSecond: bigint): string {
  const rest = remainder(units, perSecond);
  const seconds = new Date(Number((units - rest) / perSecond) * 1000).toISOString().slice(11, 19);
  return seconds + fractionText(((rest * 1_000_000n) / perSecond) * 1000n);
}

/** Six digits, nine where they are needed, none for nothing. */
function fractionText(nanos: bigint): string {
  if (nanos === 0n) return '';
  return `.${String(nanos)
    .padStart(9, '0')
    .slice(0, nanos % 1000n === 0n ? 6 : 9)}`;
}

/** Never negative: before 1970 time also goes forward. */
function remainder(units: bigint, perSecond: bigint): bigint {
  return ((units % perSecond) + perSecond) % perSecond;
}

function numberValue(cell: number | bigint, element: SchemaElement): JsonValue {
  const perSecond = clockUnits(element);
  if (perSecond !== undefined) return clockText(BigInt(cell), perSecond);
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
  return hasFractions(element) && Number.isInteger(cell) ? new Float(cell) : cell;
}

function hasFractions({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return type === 'DOUBLE' || type === 'FLOAT' || converted === 'DECIMAL' || logical?.type === 'FLOAT16';
}

const unitsPerSecond = { MILLIS: 1_000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n };

/** Of a column of times of day. */
function clockUnits({ converted_type: converted, logical_type: logical }: SchemaElement): bigint | undefined {
  if (logical?.type === 'TIME') return unitsPerSecond[logical.unit];
  if (converted === 'TIME_MILLIS') return unitsPerSecond.MILLIS;
  return converted === 'TIME_MICROS' ? unitsPerSecond.MICROS : undefined;
}

/** Old files do not say so, and pandas takes theirs for times without a zone. */
function isInUtc({ logical_type: logical }: SchemaElement): boolean {
  return logical?.type === 'TIMESTAMP' && logical.isAdjustedToUTC;
}

/** What a list's items are: under `list.element`, under one repeated field, or a field that is repeated itself. */
function itemOf(node: SchemaTree): SchemaTree {
  const [repeated] = node.children;
  if (node.element.converted_type !== 'LIST' || repeated === undefined) return node;
  const [item] = repeated.children;
  return item !== undefined && repeated.children.length === 1 ? item : repeated;
}

/** What stands under a key of a map, or a field of a struct. */
function memberOf(node: SchemaTree, name: string): SchemaTree {
  const [pair] = node.children;
  const value = node.element.converted_type === 'MAP' ? pair?.children[1] : undefined;
  return value ?? node.children.find((child) => child.element.name === name) ?? node;
}
