import type { DatabaseSync } from './index-database.ts';

/** What the writer of an index asks of its database, prepared once. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): ReturnType<DatabaseSync['prepare']> => database.prepare(sql);
  return {
    putSource: prepare(
      'INSERT INTO sources(path, digest) VALUES(?, ?) ON CONFLICT(path) DO UPDATE SET digest = excluded.digest',
    ),
    findSource: prepare('SELECT id FROM sources WHERE path = ?'),
    removeSource: prepare('DELETE FROM sources WHERE path = ?'),
    documentsOf: prepare('SELECT id, name, digest FROM documents WHERE source = ?'),
    putDocument: prepare(`INSERT INTO documents(name, source, digest, title, text, fields)
      VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT(name) DO NOTHING`),
    removeDocument: prepare('DELETE FROM documents WHERE id = ?'),
    putTerms: prepare('INSERT INTO terms(rowid, title, text, others) VALUES(?, ?, ?, ?)'),
    removeTerms: prepare('DELETE FROM terms WHERE rowid = ?'),
    putAttribute: prepare('INSERT OR IGNORE INTO attributes(field, value, document) VALUES(?, ?, ?)'),
    fieldsOf: prepare('SELECT fields FROM documents WHERE id = ?'),
    removeAttribute: prepare('DELETE FROM attributes WHERE field = ? AND value = ? AND document = ?'),
    withoutEmbedding: prepare('SELECT id, title, text FROM documents WHERE embedding IS NULL ORDER BY id LIMIT ?'),
    findEmbedding: prepare('SELECT id FROM embeddings WHERE content = ?'),
    putEmbedding: prepare('INSERT INTO embeddings(content, scale, small) VALUES(?, ?, ?)'),
    putFullVector: prepare('INSERT INTO full_vectors(id, vector) VALUES(?, ?)'),
    pointToEmbedding: prepare('UPDATE documents SET embedding = ? WHERE id = ?'),
  };
}
