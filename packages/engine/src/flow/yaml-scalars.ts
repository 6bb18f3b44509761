import type { ScalarTag } from 'yaml';
import { Float } from '../value/float.ts';

/**
 * Plain scalars as ruamel.yaml reads them under YAML 1.2: `012` is twelve, `1_000` a thousand, `yes` a text. An integral
 * float (`1.0`, `1e3`) is a `Float`, an int beyond 2^53 a bigint. A date stays the text it is.
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
    test: /^(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
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
