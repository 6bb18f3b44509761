import type { FilterValue, JsonValue, SearchFilter } from '@unroll/engine';
import { Float, isMapping, nearestName } from '@unroll/engine/values';

export type ReadFilter = { readonly filter: SearchFilter } | { readonly problem: string };

/**
 * A filter as a flow writes it: a mapping whose conditions all hold.
 *
 *     kind: faq                     # the field is this, or holds it when it is a list
 *     lang: [ja, en]                # one of these
 *     year: {ge: 2020, lt: 2024}    # eq ne ge gt le lt in exists
 *     or: [{…}, {…}]                # and: or: not:
 */
export function readFilter(written: JsonValue): ReadFilter {
  if (!isMapping(written)) return { problem: 'expected a mapping of fields, such as {kind: faq}' };
  const read = Object.entries(written).map(([name, value]) => readEntry(name, value));
  const wrong = read.find((one) => 'problem' in one);
  if (wrong !== undefined) return wrong;
  const filters = read.flatMap((one) => ('filter' in one ? [one.filter] : []));
  const [only] = filters;
  return { filter: filters.length === 1 && only !== undefined ? only : { kind: 'and', filters } };
}

function readEntry(name: string, value: JsonValue): ReadFilter {
  if (name === 'not') {
    const inner = readFilter(value);
    return 'problem' in inner ? inner : { filter: { kind: 'not', filter: inner.filter } };
  }
  return name === 'and' || name === 'or' ? readList(name, value) : readField(name, value);
}

function readList(kind: 'and' | 'or', value: JsonValue): ReadFilter {
  if (!Array.isArray(value)) return { problem: `${kind}: expected a list of filters` };
  const read = (value as readonly JsonValue[]).map(readFilter);
  const wrong = read.find((one) => 'problem' in one);
  return wrong ?? { filter: { kind, filters: read.flatMap((one) => ('filter' in one ? [one.filter] : [])) } };
}

function readField(field: string, value: JsonValue): ReadFilter {
  if (!isMapping(value)) return readValues(field, value);
  const read = Object.entries(value).map(([operator, operand]) => readCondition(field, operator, operand));
  const wrong = read.find((one) => 'problem' in one);
  if (wrong !== undefined) return wrong;
  const filters = read.flatMap((one) => ('filter' in one ? [one.filter] : []));
  const [only] = filters;
  if (only === undefined)
    return { problem: `${field}: expected a value, a list of values, or a condition (${operators.join(', ')})` };
  return { filter: filters.length === 1 ? only : { kind: 'and', filters } };
}

const operators = ['eq', 'ne', 'ge', 'gt', 'le', 'lt', 'in', 'exists'];

function readCondition(field: string, operator: string, operand: JsonValue): ReadFilter {
  switch (operator) {
    case 'eq':
    case 'in':
      return readValues(field, operand);
    case 'ne':
      return negated(readValues(field, operand));
    case 'exists':
      if (typeof operand !== 'boolean') return { problem: `${field}: exists is true or false` };
      return operand ? { filter: { kind: 'exists', field } } : negated({ filter: { kind: 'exists', field } });
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return readComparison(field, operator, operand);
    default: {
      const nearest = nearestName(operator, operators);
      const all = operators.join(', ');
      const problem =
        nearest === undefined
          ? `${field}: there is no condition "${operator}" (${all})`
          : `${field}: there is no condition "${operator}" (${all}); did you mean "${nearest}"?`;
      return { problem };
    }
  }
}

function readComparison(field: string, operator: 'gt' | 'ge' | 'lt' | 'le', operand: JsonValue): ReadFilter {
  const value = scalar(operand);
  if (typeof value !== 'string' && typeof value !== 'number')
    return { problem: `${field}: ${operator} takes a number or a text` };
  return { filter: { kind: 'compare', field, operator, value } };
}

function readValues(field: string, value: JsonValue): ReadFilter {
  const values = (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map(scalar);
  const known = values.filter((one) => one !== undefined);
  if (known.length < values.length) return { problem: `${field}: expected texts, numbers, true or false` };
  const long = known.find((one) => typeof one === 'string' && one.length > longestText);
  if (long !== undefined)
    return { problem: `${field}: texts of more than ${longestText} characters cannot be asked for` };
  return { filter: { kind: 'is', field, values: known } };
}

const longestText = 200;

function negated(read: ReadFilter): ReadFilter {
  return 'problem' in read ? read : { filter: { kind: 'not', filter: read.filter } };
}

function scalar(value: JsonValue): FilterValue | undefined {
  if (value instanceof Float) return value.valueOf();
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
