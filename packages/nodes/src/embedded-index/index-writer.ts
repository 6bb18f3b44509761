import { hash } from 'node:crypto';
import type { JsonObject } from '@unroll/engine';
import { parseJson, stringifyJson } from '@unroll/engine/values';
import { attributesOf } from './attributes.ts';
import { type DatabaseSync, inTransaction } from './index-database.ts';
import { contentDigest, documentDigest, embeddedText, type IndexDocument, textsIn } from './index-document.ts';
import { prepareStatements } from './index-statements.ts';
import { forgetDigest } from './kept-digest.ts';
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
      const update: Update = { source, before, given: new Set(), added: 0, changed: 0, unchanged: 0, taken: [] };
      for (let at = 0; at < documents.length; at += groupSize)
        this.putDocuments(documents.slice(at, at + groupSize), update);
      const { given, added, changed, unchanged, taken } = update;
      const gone = [...before.values()].filter(({ name }) => !given.has(name));
      for (const { id } of gone) this.removeDocument(id);
      if (taken.length === 0) this.statements.putSource.run(path, digest);
      if (added + changed + gone.length > 0) forgetDigest(this.database);
      return { added, changed, unchanged, removed: gone.length, taken };
    });
  }

  /** @returns how many documents went with it */
  removeSource(path: string): number {
    return inTransaction(this.database, () => {
      const source = this.statements.findSource.get(path)?.['id'] ?? null;
      const gone = this.statements.documentsOf.all(source);
      for (const { id } of gone) this.removeDocument(Number(id));
      if (gone.length > 0) forgetDigest(this.database);
      this.statements.removeSource.run(path);
      return gone.length;
    });
  }

  /** The next texts without a vector, each once, at most `count`; documents whose text has one already are given it. */
  unembedded(count: number): readonly Unembedded[] {
    const found = new Map<string, { readonly content: Uint8Array; readonly text: string; documents: number[] }>();
    for (const { id, title, text } of this.statements.withoutEmbedding.all(count)) {
      const written = { ...(title === null ? {} : { title: String(title) }), text: String(text) };
      const content = contentDigest(written);
      const key = Buffer.from(content).toString('base64');
      const one = found.get(key) ?? { content, text: embeddedText(written), documents: [] };
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

  /** One kind of work after the other: going from one to the next with each document takes nearly twice as long. */
  private putDocuments(documents: readonly IndexDocument[], update: Update): void {
    const fresh = documents.flatMap((document) => this.freshOf(document, update));
    const words = fresh.map(({ document: { title = '', text }, others }) => [title, text, others].map(wordsText));
    const put = fresh.map((one) => this.putDocument(one, update));
    for (const [index, id] of put.entries()) {
      const [title = '', text = '', others = ''] = words[index] ?? [];
      if (id !== undefined) this.statements.putTerms.run(id, title, text, others);
    }
    for (const [index, id] of put.entries()) {
      const attributes = id === undefined ? [] : attributesOf(fresh[index]?.document.fields ?? {});
      for (const { field, value } of attributes) this.statements.putAttribute.run(field, value, id ?? null);
    }
  }

  /** None where the document is as it was, or another has its id. */
  private freshOf(document: IndexDocument, update: Update): readonly Fresh[] {
    if (update.given.has(document.id)) {
      update.taken.push(document.id);
      return [];
    }
    update.given.add(document.id);
    const printed = stringifyJson(document.fields);
    const digest = documentDigest(document, printed);
    const before = update.before.get(document.id);
    if (before !== undefined && Buffer.compare(before.digest, digest) === 0) {
      update.unchanged += 1;
      return [];
    }
    return [{ document, digest, printed, others: textsIn(document.fields).join('\n'), before }];
  }

  /** @returns its number; undefined where a document of another source has its id */
  private putDocument({ document, digest, printed, before }: Fresh, update: Update): number | bigint | undefined {
    if (before !== undefined) this.removeDocument(before.id);
    const { id: name, title = null, text } = document;
    const { putDocument } = this.statements;
    const { lastInsertRowid, changes } = putDocument.run(name, update.source, digest, title, text, printed);
    if (Number(changes) === 0) {
      update.taken.push(name);
      return undefined;
    }
    update[before === undefined ? 'added' : 'changed'] += 1;
    return lastInsertRowid;
  }

  private removeDocument(id: number): void {
    const fields = parseJson(String(this.statements.fieldsOf.get(id)?.['fields'])) as JsonObject;
    for (const { field, value } of attributesOf(fields)) this.statements.removeAttribute.run(field, value, id);
    this.statements.removeTerms.run(id);
    this.statements.removeDocument.run(id);
  }
}

/** Documents that are put in at once. */
const groupSize = 1000;

/** The documents of a source on their way into the index. */
interface Update {
  readonly source: number;
  /** By their ids. */
  readonly before: ReadonlyMap<string, Known>;
  readonly given: Set<string>;
  readonly taken: string[];
  added: number;
  changed: number;
  unchanged: number;
}

/** A document that is new or has changed. */
interface Fresh {
  readonly document: IndexDocument;
  readonly digest: Uint8Array;
  /** Its fields. */
  readonly printed: string;
  /** The texts of its fields. */
  readonly others: string;
  readonly before: Known | undefined;
}

interface Known {
  readonly id: number;
  readonly name: string;
  readonly digest: Uint8Array;
}

function wordsText(text: string): string {
  return text === '' ? '' : searchWords(text).join(' ');
}
