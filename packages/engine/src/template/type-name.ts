import { Float } from '../value/float.ts';
import { RemoteValue } from '../value/remote-value.ts';
import { DescribedDict, DescribedTuple } from './described.ts';
import { PyRange } from './python-range.ts';
import {
  DictView,
  isDict,
  Markup,
  Namespace,
  PyFunction,
  PyIterator,
  PyObject,
  SliceBounds,
  Tuple,
  Undefined,
} from './python-types.ts';

/** Python's `type(value).__name__`. */
export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    case 'object':
      return objectTypeName(value);
    default:
      return 'NoneType';
  }
}

function objectTypeName(value: object | null): string {
  if (value === null) return 'NoneType';
  if (value instanceof Float) return 'float';
  if (value instanceof DescribedTuple || value instanceof DescribedDict) {
    return value.told?.type ?? (value instanceof DescribedTuple ? 'tuple' : 'dict');
  }
  if (value instanceof Tuple) return 'tuple';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Undefined) return value.strict ? 'StrictUndefined' : 'Undefined';
  if (value instanceof PyIterator || value instanceof PyFunction || value instanceof PyObject) return value.typeName;
  if (value instanceof PyRange) return 'range';
  if (value instanceof DictView) return `dict_${value.kind}`;
  if (value instanceof Namespace) return 'Namespace';
  if (value instanceof Markup) return 'Markup';
  if (value instanceof SliceBounds) return 'slice';
  if (value instanceof RemoteValue) return value.className;
  return isDict(value) ? 'dict' : value.constructor.name;
}
