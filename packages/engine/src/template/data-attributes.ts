import { Float } from '../value/float.ts';
import { ownValue } from '../value/own-value.ts';
import { RemoteValue } from '../value/remote-value.ts';
import { cannotBeTold, DescribedTuple } from './described.ts';
import { PyRange } from './python-range.ts';
import { DictView, type Keywords, Namespace, PyFunction, PyObject, Tuple } from './python-types.ts';
import { isInt, numeric } from './python-values.ts';
import { typeName } from './type-name.ts';

/** A pair of `groupby`: a tuple with names. */
export class GroupTuple extends Tuple {
  get grouper(): unknown {
    return this[0];
  }
}

/** An attribute that is no method, or undefined. */
export function dataAttribute(value: unknown, name: string): unknown {
  if (value instanceof Namespace) return value.attributes.get(name);
  if (value instanceof PyObject) return value.attribute(name);
  if (value instanceof DescribedTuple) return namedItem(value, name);
  if ((value as unknown) instanceof RemoteValue) return cannotBeTold({ type: typeName(value) }, name);
  if (value instanceof PyFunction) return ownMember(value.attributes, name);
  if (value instanceof GroupTuple) return name === 'grouper' ? value[0] : name === 'list' ? value[1] : undefined;
  if (value instanceof PyRange && (name === 'start' || name === 'stop' || name === 'step')) return value[name];
  if (value instanceof DictView && name === 'mapping') return value.dict;
  return numberAttribute(value, name);
}

function numberAttribute(value: unknown, name: string): unknown {
  if (isInt(value)) {
    if (name === 'real' || name === 'numerator') return numeric(value);
    return name === 'imag' ? 0 : name === 'denominator' ? 1 : undefined;
  }
  if (typeof value === 'number' || value instanceof Float) {
    return name === 'real' ? value : name === 'imag' ? new Float(0) : undefined;
  }
  return undefined;
}

function namedItem(value: DescribedTuple, name: string): unknown {
  const at = value.told?.fields.indexOf(name) ?? -1;
  return at < 0 ? undefined : value[at];
}

function ownMember(members: Keywords, name: string): unknown {
  return ownValue(members, name);
}
