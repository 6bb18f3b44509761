import { getAttribute } from './attributes.ts';
import { pythonStr } from './python-text.ts';
import { hashKey, isDict, PyDict, Undefined } from './python-types.ts';
import { isText } from './python-values.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

export function attr([value, name]: readonly unknown[], strict: boolean): unknown {
  if (!isText(name)) return raise('TypeError', `attribute name must be string, not '${typeName(name)}'`);
  if (value instanceof Undefined) return value.fail();
  const found = getAttribute(isDict(value) ? new PyDict() : value, pythonStr(name), strict);
  if (!(found instanceof Undefined) && isDict(value)) return getAttribute(value, pythonStr(name), strict);
  return found;
}

/** A key of a dict of names: a list or a dict is none. */
export function nameOf(value: unknown): string {
  hashKey(value);
  return pythonStr(value);
}
