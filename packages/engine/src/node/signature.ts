import type { Span } from '../source/source-file.ts';
import type { JsonValue } from '../value/json.ts';

/** What can be seen of a function, or of a class whose instances are called, that is a flow by itself. */
export interface EntrySignature {
  /** Its file, relative to the flow's folder. */
  readonly path: string;
  /** Whether the file defines or imports the name. */
  readonly found: boolean;
  /** What the file defines. */
  readonly names: readonly string[];
  readonly isClass: boolean;
  /** Set where its instances cannot be called. */
  readonly isCallable?: false;
  /** Parameters of the constructor. */
  readonly init: readonly Parameter[];
  /** Set where the constructor takes nothing else for certain. */
  readonly takesOnlyInit?: true;
  /** Parameters of the call; absent where they cannot be seen. */
  readonly inputs?: readonly (Parameter & { readonly default?: JsonValue | undefined })[];
  /** Set where it takes others too (`**more`). */
  readonly takesMore?: true;
  /** Fields of what it returns; absent where it returns no record. */
  readonly outputs?: readonly string[];
  /** Whether it makes metrics of all rows (`__aggregate__`). */
  readonly aggregates: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly type?: string;
  /** Of a template: whether each rendering without it fails. Else it prints as nothing. */
  readonly isNeeded?: boolean;
  /** Where the parameter stands in template or code. */
  readonly span?: Span;
}
