import { type DatabaseSync, prepareChange } from './index-database.ts';

/** What the writer of an index asks of its database, prepared once. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): ReturnType<DatabaseSync['prepare']> => database.prepare(sql);
  const change = (sql: string): ReturnType<DatabaseSync['prepare']> => prepareChange(database, sql);
  return {
    putSource: change(
      'INSERT INTO sources(path, digest) VALUES(?, ?) ON CONFLICT(path) DO UPDATE SET digest = excluded.digest',
    ),
    findSource: prepare('SELECT id FROM sources WHERE path = ?'),
    removeSource: change('DELETE FROM sources WHERE path = ?'),
    documentsOf: prepare('SELECT id, name, digest FROM documents WHERE source = ?'),
    putDocument: change(`INSERT INTO documents(name, source, digest, title, text, fields)
      VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT(name) DO NOTHING`),
    removeDocument: change('DELETE FROM documents WHERE id = ?'),
    putTerms: change('INSERT INTO terms(rowid, title, text, others) VALUES(?, ?, ?, ?)'),
    removeTerms: change('DELETE FROM terms WHERE rowid = ?'),
    putAttribute: change('INSERT OR IGNORE INTO attributes(field, value, document) VALUES(?, ?, ?)'),
    fieldsOf: prepare('SELECT fields FROM documents WHERE id = ?'),
    removeAttribute: change('DELETE FROM attributes WHERE field = ? AND value = ? AND document = ?'),
    withoutEmbedding: prepare('SELECT id, title, text FROM documents WHERE embedding IS NULL ORDER BY id LIMIT ?'),
    findEmbedding: prepare('SELECT id FROM embeddings WHERE content = ?'),
    putEmbedding: change('INSERT INTO embeddings(content, scale, small) VALUES(?, ?, ?)'),
    putFullVector: change('INSERT INTO full_vectors(id, vector) VALUES(?, ?)'),
    pointToEmbedding: change('UPDATE documents SET embedding = ? WHERE id = ?'),
  };
}
