import type { FilterValue, SearchFilter } from '@unroll/engine';
import { didYouMean } from '@unroll/engine/values';
import type { DatabaseSync } from './index-database.ts';

/** Parts of a document that are texts in every index. */
const parts = ['id', 'title', 'text'];

/**
 * Why a filter may pass nothing: it asks for a field that no document has, or for values of a kind that the field never has.
 * One sentence; undefined where neither is so.
 */
export function explainFilter(database: DatabaseSync, filter: SearchFilter): string | undefined {
  const kinds = kindsByField(database);
  for (const { field, values } of askedConditions(filter)) {
    const known = parts.includes(field) ? ['texts'] : kinds.get(field);
    if (known === undefined) {
      const near = didYouMean(field, [...kinds.keys()]);
      return `no document has the field "${field}"${near === undefined ? '' : ` (${near})`}`;
    }
    const wrong = values.find((value) => !known.includes(kindOf(value)));
    if (wrong !== undefined && values.every((value) => !known.includes(kindOf(value))))
      return `the values of "${field}" are ${known.join(' and ')}, and the filter asks for ${kindOf(wrong)} (${JSON.stringify(wrong)})`;
  }
  return undefined;
}

interface Asked {
  readonly field: string;
  readonly values: readonly FilterValue[];
}

function askedConditions(filter: SearchFilter): readonly Asked[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(askedConditions);
    case 'not':
      return askedConditions(filter.filter);
    case 'is':
      return [filter];
    case 'compare':
      return [{ field: filter.field, values: [filter.value] }];
    case 'exists':
      return [{ field: filter.field, values: [] }];
  }
}

const kindNames: Readonly<Record<string, string>> = { text: 'texts', integer: 'numbers', real: 'numbers' };

/** Everything that is no text and no number is bytes in the file. */
function kindsByField(database: DatabaseSync): ReadonlyMap<string, readonly string[]> {
  const rows = database.prepare('SELECT DISTINCT field, typeof(value) AS type FROM attributes ORDER BY field').all();
  const found = new Map<string, string[]>();
  for (const { field, type } of rows) {
    const kinds = found.get(String(field)) ?? [];
    const kind = kindNames[String(type)] ?? 'truth values';
    found.set(String(field), kinds.includes(kind) ? kinds : [...kinds, kind]);
  }
  return found;
}

function kindOf(value: FilterValue): string {
  return typeof value === 'string' ? 'texts' : typeof value === 'number' ? 'numbers' : 'truth values';
}
