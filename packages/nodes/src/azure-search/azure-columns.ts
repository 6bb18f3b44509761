import type { Connection } from '@unroll/engine';
import { openIndexClient } from './azure-client.ts';
import type { Column } from './odata-filter.ts';

/** Which column holds what of a document. */
export interface Columns {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly vector: string;
}

/** All fields of a document as JSON, in indexes of `flow index build`. */
export const fieldsColumn = 'unroll_fields';

export function columnsOf(written: Readonly<Record<string, string>> = {}): Columns {
  return { id: 'id', title: 'title', text: 'text', vector: 'vector', ...written };
}

/** The columns of an index as its definition tells them. */
export interface IndexColumns {
  readonly key: string;
  readonly columns: ReadonlyMap<string, Column>;
}

/** @returns undefined where the definition may not be read */
export async function readColumns(connection: Connection, index: string): Promise<IndexColumns | undefined> {
  const client = await openIndexClient(connection);
  try {
    const { fields } = await client.getIndex(index);
    const key = fields.find((field) => 'key' in field && field.key === true)?.name ?? 'id';
    return { key, columns: new Map(fields.map(({ name, type }) => [name, columnOfType(type)])) };
  } catch (error) {
    const { statusCode } = error as { readonly statusCode?: number };
    if (statusCode === 401 || statusCode === 403) return undefined;
    throw error;
  }
}

/** By the names of the Entity Data Model. */
function columnOfType(type: string): Column {
  const inner = /^Collection\((.+)\)$/.exec(type)?.[1];
  return { type: valueTypes[inner ?? type] ?? 'other', isList: inner !== undefined };
}

const valueTypes: Readonly<Record<string, Column['type']>> = {
  'Edm.String': 'string',
  'Edm.Boolean': 'boolean',
  'Edm.Double': 'number',
  'Edm.Single': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': 'number',
};
