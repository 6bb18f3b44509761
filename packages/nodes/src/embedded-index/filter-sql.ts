import type { SearchFilter } from '@unroll/engine';
import { type Stored, storedValue } from './attributes.ts';

/** A query that gives the numbers of the documents that pass, in a column `document`. */
export interface FilterQuery {
  readonly sql: string;
  readonly values: readonly Stored[];
}

/** Sets of documents, joined as the conditions are: exact, whatever is searched behind them. */
export function filterQuery(filter: SearchFilter): FilterQuery {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joinConditions(filter.filters.map(filterQuery), filter.kind);
    case 'not': {
      const { sql, values } = filterQuery(filter.filter);
      return { sql: `SELECT id AS document FROM documents EXCEPT SELECT document FROM (${sql})`, values };
    }
    case 'is':
      return oneOf(filter.field, filter.values.map(storedValue));
    case 'compare':
      return comparison(filter.field, operators[filter.operator], filter.value);
    case 'exists':
      return existence(filter.field);
  }
}

const operators = { lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

/** Parts of a document that are columns of their own. */
const columns: Readonly<Record<string, string>> = { id: 'name', title: 'title', text: 'text' };

/** None of no conditions is broken, and none of them holds. */
function joinConditions(parts: readonly FilterQuery[], kind: 'and' | 'or'): FilterQuery {
  const [first] = parts;
  if (first === undefined)
    return { sql: `SELECT id AS document FROM documents WHERE ${kind === 'and' ? 1 : 0}`, values: [] };
  const operator = kind === 'and' ? ' INTERSECT ' : ' UNION ';
  return {
    sql: parts.map(({ sql }) => `SELECT document FROM (${sql})`).join(operator),
    values: parts.flatMap(({ values }) => values),
  };
}

function oneOf(field: string, values: readonly Stored[]): FilterQuery {
  const column = columns[field];
  if (column !== undefined) return oneOfColumn(column, values);
  const marks = values.map(() => '?').join(', ');
  return {
    sql: `SELECT document FROM attributes WHERE field = ? AND value IN (${marks})`,
    values: [field, ...values],
  };
}

/** SQLite would take a number for its text here. */
function oneOfColumn(column: string, values: readonly Stored[]): FilterQuery {
  const texts = values.filter((value) => typeof value === 'string');
  const marks = texts.map(() => '?').join(', ');
  return { sql: `SELECT id AS document FROM documents WHERE ${column} IN (${marks})`, values: texts };
}

/** A BLOB is greater than any text and a text greater than any number, so the type is asked for too. */
function comparison(field: string, operator: string, value: string | number): FilterQuery {
  const column = columns[field];
  if (column !== undefined) {
    const condition = typeof value === 'string' ? `${column} ${operator} ?` : '0';
    return {
      sql: `SELECT id AS document FROM documents WHERE ${condition}`,
      values: typeof value === 'string' ? [value] : [],
    };
  }
  const types = typeof value === 'string' ? "'text'" : "'integer', 'real'";
  return {
    sql: `SELECT document FROM attributes WHERE field = ? AND value ${operator} ? AND typeof(value) IN (${types})`,
    values: [field, value],
  };
}

function existence(field: string): FilterQuery {
  const column = columns[field];
  if (column !== undefined)
    return { sql: `SELECT id AS document FROM documents WHERE ${column} IS NOT NULL`, values: [] };
  return { sql: 'SELECT document FROM attributes WHERE field = ?', values: [field] };
}
