import { hash } from 'node:crypto';
import { parseJson, printJson, type Values } from '@unroll/engine';
import { type Attribute, attributesOf } from './attributes.ts';
import { type DatabaseSync, inTransaction } from './index-database.ts';
import { contentDigest, documentDigest, embeddedText, type IndexDocument, textsIn } from './index-document.ts';
import { normalized, quantize } from './quantize.ts';
import { searchWords } from './search-words.ts';

/** What became of the documents of a source. */
export interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Ids that a document of another source, or an earlier one of this, has already; they are left out. */
  readonly taken: readonly string[];
}

/** A text that has no vector yet, and the documents it is of. */
export interface Unembedded {
  readonly content: Uint8Array;
  readonly text: string;
  readonly documents: readonly number[];
}

/** Keeps an index as its sources are. Every call is one transaction: what was told is in the file. */
export class IndexWriter {
  private readonly database: DatabaseSync;
  private readonly statements: ReturnType<typeof prepareStatements>;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.statements = prepareStatements(database);
  }

  /** Digests of the files that are in the index, by their paths. */
  sources(): ReadonlyMap<string, string> {
    const rows = this.database.prepare('SELECT path, digest FROM sources').all();
    return new Map(rows.map(({ path, digest }) => [String(path), String(digest)]));
  }

  /**
   * Makes the documents of a source what they are now; those that are as before are not touched.
   *
   * @param digest of the file; not kept where a document was left out, so that the file is read again
   */
  putSource(path: string, digest: string, documents: readonly IndexDocument[]): Changes {
    return inTransaction(this.database, () => {
      this.statements.putSource.run(path, '');
      const source = Number(this.statements.findSource.get(path)?.['id']);
      const before = new Map(
        this.statements.documentsOf.all(source).map((row) => [String(row['name']), row as unknown as Known]),
      );
      const counts = { added: 0, changed: 0, unchanged: 0 };
      const taken: string[] = [];
      const given = new Set<string>();
      for (const document of documents) {
        const became = given.has(document.id) ? 'taken' : this.putDocument(document, source, before.get(document.id));
        if (became === 'taken') taken.push(document.id);
        else counts[became] += 1;
        given.add(document.id);
      }
      const gone = [...before.values()].filter(({ name }) => !given.has(name));
      for (const { id } of gone) this.removeDocument(id);
      if (taken.length === 0) this.statements.putSource.run(path, digest);
      return { ...counts, removed: gone.length, taken };
    });
  }

  /** @returns how many documents went with it */
  removeSource(path: string): number {
    return inTransaction(this.database, () => {
      const source = this.statements.findSource.get(path)?.['id'] ?? null;
      const gone = this.statements.documentsOf.all(source);
      for (const { id } of gone) this.removeDocument(Number(id));
      this.statements.removeSource.run(path);
      return gone.length;
    });
  }

  /** The next texts without a vector, each once, at most `count`; documents whose text has one already are given it. */
  unembedded(count: number): readonly Unembedded[] {
    const found = new Map<string, { readonly content: Uint8Array; readonly text: string; documents: number[] }>();
    for (const { id, title, text } of this.statements.withoutEmbedding.all(count)) {
      const told = { ...(title === null ? {} : { title: String(title) }), text: String(text) };
      const content = contentDigest(told);
      const key = Buffer.from(content).toString('base64');
      const one = found.get(key) ?? { content, text: embeddedText(told), documents: [] };
      one.documents.push(Number(id));
      found.set(key, one);
    }
    const texts = [...found.values()];
    const known = texts.filter(({ content, documents }) => this.pointToKnown(content, documents));
    if (known.length > 0 && known.length === texts.length) return this.unembedded(count);
    return texts.filter((one) => !known.includes(one));
  }

  private pointToKnown(content: Uint8Array, documents: readonly number[]): boolean {
    const embedding = this.statements.findEmbedding.get(content)?.['id'];
    if (embedding === undefined) return false;
    for (const document of documents) this.statements.pointToEmbedding.run(embedding, document);
    return true;
  }

  /** Documents without a vector. */
  countUnembedded(): number {
    return Number(this.database.prepare('SELECT count(*) AS n FROM documents WHERE embedding IS NULL').get()?.['n']);
  }

  putVectors(vectors: readonly (Unembedded & { readonly vector: Float32Array })[]): void {
    inTransaction(this.database, () => {
      for (const { content, documents, vector } of vectors) {
        const full = normalized(vector);
        const { numbers, scale } = quantize(full);
        const bytes = new Uint8Array(numbers.buffer);
        const id = this.statements.putEmbedding.run(content, scale, bytes).lastInsertRowid;
        this.statements.putFullVector.run(id, new Uint8Array(full.buffer, full.byteOffset, full.byteLength));
        for (const document of documents) this.statements.pointToEmbedding.run(id, document);
      }
    });
  }

  /** Of all documents: two indexes of the same have the same. */
  digest(): string {
    const all = this.database
      .prepare("SELECT group_concat(name || ' ' || hex(digest), char(10) ORDER BY name) AS text FROM documents")
      .get();
    return hash('sha256', String(all?.['text'] ?? ''), 'hex').slice(0, 32);
  }

  /** Vectors that no document has any more go; the words are packed for quick searches. */
  tidy(): void {
    inTransaction(this.database, () => {
      this.database.exec(`
        DELETE FROM embeddings WHERE id NOT IN (SELECT embedding FROM documents WHERE embedding IS NOT NULL);
        DELETE FROM full_vectors WHERE id NOT IN (SELECT id FROM embeddings);
        INSERT INTO terms(terms) VALUES('optimize');`);
    });
  }

  private putDocument(
    document: IndexDocument,
    source: number,
    before: Known | undefined,
  ): 'added' | 'changed' | 'unchanged' | 'taken' {
    const digest = documentDigest(document);
    if (before !== undefined && Buffer.compare(before.digest, digest) === 0) return 'unchanged';
    if (before !== undefined) this.removeDocument(before.id);
    const { id: name, title, text, fields } = document;
    const printed = printJson(fields);
    const { lastInsertRowid: id, changes } = this.statements.putDocument.run(
      ...([name, source, digest, title ?? null, text, printed] as const),
    );
    if (changes === 0) return 'taken';
    const others = textsIn(fields).join('\n');
    this.statements.putTerms.run(id, wordsText(title ?? ''), wordsText(text), wordsText(others));
    for (const attribute of attributesOf(fields)) this.putAttribute(attribute, id);
    return before === undefined ? 'added' : 'changed';
  }

  private putAttribute({ field, value }: Attribute, document: number | bigint): void {
    this.statements.putAttribute.run(field, value, document);
  }

  private removeDocument(id: number): void {
    const fields = parseJson(String(this.statements.fieldsOf.get(id)?.['fields'])) as Values;
    for (const { field, value } of attributesOf(fields)) this.statements.removeAttribute.run(field, value, id);
    this.statements.removeTerms.run(id);
    this.statements.removeDocument.run(id);
  }
}

interface Known {
  readonly id: number;
  readonly name: string;
  readonly digest: Uint8Array;
}

function wordsText(text: string): string {
  return text === '' ? '' : searchWords(text).join(' ');
}

function prepareStatements(database: DatabaseSync) {
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
