import type { ScalarTag } from 'yaml';
import { Float } from '../value/float.ts';
import { PythonDate } from '../value/python-date.ts';

/**
 * Plain scalars as ruamel.yaml reads them under YAML 1.2: `012` is twelve, `1_000` a thousand, `yes` a text. An integral
 * float (`1.0`, `1e3`) is a `Float`, an int beyond 2^53 a bigint. A date stays the text it is, unless `dateTags` are given too.
 */
export const scalarTags: readonly ScalarTag[] = [
  {
    tag: 'tag:yaml.org,2002:int',
    default: true,
    test: /^(?:[-+]?0b[01][01_]*|[-+]?0o[0-7][0-7_]*|[-+]?0x[0-9a-fA-F][0-9a-fA-F_]*|[-+]?[0-9][0-9_]*)$/,
    resolve: readInt,
  },
  {
    tag: 'tag:yaml.org,2002:float',
    default: true,
    test: /^(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
    resolve: readFloat,
  },
];

function readInt(written: string): number | bigint {
  const text = written.replaceAll('_', '');
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '');
  const size = BigInt(digits === '' ? 0 : digits);
  const value = isNegative ? -size : size;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function readFloat(written: string): number | Float {
  const text = written.replaceAll('_', '').toLowerCase();
  if (text.endsWith('.inf')) return text.startsWith('-') ? -Infinity : Infinity;
  if (text === '.nan') return Number.NaN;
  const value = Number(text);
  return Number.isInteger(value) ? new Float(value) : value;
}

/** Dates and times as Python objects, as ruamel.yaml reads them. */
export const dateTags: readonly ScalarTag[] = [
  {
    tag: 'tag:yaml.org,2002:timestamp',
    default: true,
    test: /^\d{4}-(?:\d\d-\d\d$|\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?$)/,
    resolve: readDate,
  },
];

/** A day that does not exist stays text. */
function readDate(written: string): PythonDate | string {
  const [, year = '', month = '', day = '', time = ''] =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt\s]+(.*))?$/.exec(written) ?? [];
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  if (Number.isNaN(Date.parse(date))) return written;
  if (time === '') return new PythonDate(date);
  const [, clock = '', fraction = '', zone = ''] = /^([\d:]+)(?:\.(\d*))?\s*(.*)$/.exec(time) ?? [];
  const shown = `${date}T${clock.padStart(8, '0')}${fraction === '' ? '' : `.${fraction.padEnd(6, '0').slice(0, 6)}`}`;
  return new PythonDate(zone === '' || zone === 'Z' ? shown : inUtc(`${shown}${zone}`));
}

/** ruamel.yaml turns a time with an offset into UTC without one. */
function inUtc(written: string): string {
  const [, sign, hours, minutes = '00'] = /([-+])(\d\d?)(?::?(\d\d))?$/.exec(written) ?? [];
  const local = written.slice(0, written.lastIndexOf(sign ?? '+'));
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const utc = new Date(Date.parse(`${local}Z`) - offset * 60_000).toISOString();
  return utc.replace(/(?:\.000)?Z$/, '');
}
