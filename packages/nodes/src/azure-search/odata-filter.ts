import type { FilterValue, SearchFilter } from '@unroll/engine';

/** The type of a column: what may be compared with it, and whether it holds a list. */
export interface Column {
  readonly type: 'string' | 'number' | 'boolean' | 'other';
  readonly isList: boolean;
}

export interface FilterColumns {
  /** The name of the column of a part (`id`, `title`, `text`) or field. */
  nameOf(field: string): string;
  /** Undefined where the definition of the index is not known. */
  columnOf(name: string): Column | undefined;
  /** A column that no row lacks. */
  readonly key: string;
}

/**
 * A filter in OData 4.0 as Azure AI Search reads it. Every text is quoted here, and names of columns are letters, digits and
 * `_`, so that nothing in a filter can be read as a part of the expression. What the types of the columns rule out is told
 * as never being so, in place of asking and being refused.
 *
 * @throws RangeError when a field cannot be the name of a column
 */
export function odataFilter(filter: SearchFilter, columns: FilterColumns): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joinConditions(
        filter.filters.map((one) => odataFilter(one, columns)),
        filter.kind,
        columns,
      );
    case 'not':
      return `not (${odataFilter(filter.filter, columns)})`;
    case 'is':
      return joinConditions(
        filter.values.map((value) => comparison(filter.field, 'eq', value, columns)),
        'or',
        columns,
      );
    case 'compare':
      return comparison(filter.field, filter.operator, filter.value, columns);
    case 'exists':
      return existence(filter.field, columns);
  }
}

function joinConditions(parts: readonly string[], operator: 'and' | 'or', columns: FilterColumns): string {
  const [first] = parts;
  if (first === undefined) return operator === 'and' ? `${columns.key} ne null` : never(columns);
  return parts.length === 1 ? first : parts.map((part) => `(${part})`).join(` ${operator} `);
}

function never({ key }: FilterColumns): string {
  return `${key} eq null`;
}

function comparison(field: string, operator: string, value: FilterValue, columns: FilterColumns): string {
  const name = columnName(field, columns);
  const column = columns.columnOf(name);
  if (column !== undefined && column.type !== typeof value) return never(columns);
  const literal = typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  return column?.isList === true
    ? `${name}/any(member: member ${operator} ${literal})`
    : `${name} ${operator} ${literal}`;
}

function existence(field: string, columns: FilterColumns): string {
  const name = columnName(field, columns);
  return columns.columnOf(name)?.isList === true ? `${name}/any()` : `${name} ne null`;
}

function columnName(field: string, columns: FilterColumns): string {
  const name = columns.nameOf(field);
  if (/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return name;
  throw new RangeError(
    `"${field}" cannot be asked for at Azure AI Search: columns have names of letters, digits and _`,
  );
}
