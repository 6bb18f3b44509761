import type { SearchIndex as AzureIndex, SearchField } from '@azure/search-documents';
import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import { longestAttribute } from '../embedded-index/attributes.ts';
import { type DatabaseSync, readSetting } from '../embedded-index/index-database.ts';
import { fieldsColumn } from './azure-columns.ts';

export const keyColumn = 'unroll_key';
export const digestColumn = 'unroll_digest';
/** Texts of the other fields, searched and never shown. */
export const wordsColumn = 'unroll_words';
/** Of the vector profile, its algorithm and the semantic configuration. */
const own = 'unroll';

/** What documents of an index have as fields that a filter may ask for, as columns. */
export interface FilterColumns {
  readonly types: ReadonlyMap<string, string>;
  /** Fields that cannot be columns: their name, a long text, or values of several kinds. */
  readonly leftOut: readonly string[];
}

const reserved = new Set(['id', 'title', 'text', 'vector', keyColumn, digestColumn, wordsColumn, fieldsColumn]);

/** By every document in the index: a field is a column when all its values are of one type. */
export function filterColumns(database: DatabaseSync): FilterColumns {
  const found = new Map<string, string | undefined>();
  for (const { fields } of database.prepare('SELECT fields FROM documents').iterate()) {
    for (const [name, value] of Object.entries(parseJson(String(fields)) as JsonObject)) {
      const type = columnType(value);
      if (type === 'nothing') continue;
      found.set(name, found.has(name) && found.get(name) !== type ? undefined : type);
    }
  }
  const isColumn = ([name, type]: readonly [string, string | undefined]): boolean =>
    type !== undefined &&
    /^[A-Za-z][A-Za-z0-9_]{0,127}$/.test(name) &&
    !reserved.has(name) &&
    !/^azureSearch/i.test(name);
  const entries = [...found];
  return {
    types: new Map(entries.filter(isColumn).map(([name, type]) => [name, type ?? ''])),
    leftOut: entries.filter((entry) => !isColumn(entry)).map(([name]) => name),
  };
}

/** `nothing` says nothing of the type: null, an empty list. */
function columnType(value: JsonValue): string | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'nothing';
  if (!Array.isArray(value)) return simpleType(value);
  const types = new Set((value as readonly JsonValue[]).map(simpleType));
  const [only] = types;
  return types.size === 1 && only !== undefined ? `Collection(${only})` : undefined;
}

function simpleType(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value.length > longestAttribute ? undefined : 'Edm.String';
  if (typeof value === 'boolean') return 'Edm.Boolean';
  return typeof value === 'number' || value instanceof Number ? 'Edm.Double' : undefined;
}

/** The definition of an index that holds the same as a file of `flow index build`. */
export function indexDefinition(name: string, database: DatabaseSync, { types }: FilterColumns): AzureIndex {
  const dimensions = readSetting(database, 'dimensions');
  const analyzerName = isJapanese(database) ? 'ja.microsoft' : 'en.microsoft';
  const plain = { searchable: false, filterable: false, sortable: false, facetable: false };
  const searched = { type: 'Edm.String', ...plain, searchable: true, analyzerName } as const;
  const fields: SearchField[] = [
    { name: keyColumn, type: 'Edm.String', key: true, ...plain, filterable: true, sortable: true },
    { name: digestColumn, type: 'Edm.String', ...plain },
    { name: fieldsColumn, type: 'Edm.String', ...plain },
    { name: wordsColumn, ...searched, hidden: true },
    { name: 'id', type: 'Edm.String', ...plain, filterable: true, sortable: true },
    { name: 'title', ...searched, filterable: true },
    { name: 'text', ...searched },
    ...[...types].map(([column, type]) => ({ name: column, type, ...plain, filterable: true }) as SearchField),
  ];
  if (dimensions === undefined) return { name, fields, semanticSearch };
  const vector = { name: 'vector', type: 'Collection(Edm.Single)', searchable: true, hidden: true } as const;
  return {
    name,
    fields: [...fields, { ...vector, vectorSearchDimensions: Number(dimensions), vectorSearchProfileName: own }],
    vectorSearch: {
      algorithms: [{ name: own, kind: 'hnsw', parameters: { metric: 'cosine' } }],
      profiles: [{ name: own, algorithmConfigurationName: own }],
    },
    semanticSearch,
  };
}

const semanticSearch = {
  configurations: [
    { name: own, prioritizedFields: { titleField: { name: 'title' }, contentFields: [{ name: 'text' }] } },
  ],
};

/** By the first hundred texts: analyzers of Japanese read English too. */
function isJapanese(database: DatabaseSync): boolean {
  const rows = database.prepare('SELECT text FROM documents ORDER BY id LIMIT 100').all();
  const text = rows.map((row) => String(row['text'])).join('\n');
  const letters = text.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return letters > text.length / 20;
}
