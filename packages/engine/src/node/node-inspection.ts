import type { Diagnostic } from '../source/diagnostic.ts';
import type { Span } from '../source/source-file.ts';
import type { ConnectionSource } from './connection-source.ts';
import type { Parameter } from './signature.ts';

/** What is known of a node without running it. */
export interface NodeInspection {
  readonly diagnostics: readonly Diagnostic[];
  /** Inputs the node takes; absent where that is not known before it is loaded. */
  readonly parameters?: readonly Parameter[];
  /** Whether inputs that are no parameter are taken too (`**kwargs`, template variables already counted). */
  readonly takesAnyInput: boolean;
  /**
   * By which inputs a call does not fail: by those that it does not take, which are passed over, or by those that it misses as well.
   * Absent: by either it fails, as Python's do.
   */
  readonly toleratedInputs?: 'unknown' | 'unknown or missing';
  /** An empty text is a value to it; code is not handed a literal one. */
  readonly takesEmptyText?: boolean;
  /** The inputs fill a template: one it does not use is harmless, and one it misses is fixed there. */
  readonly fillsTemplate?: boolean;
  /** It cannot be read: `parameters` are those beside its variables, which nobody knows. */
  readonly hasUnreadTemplate?: true;
  /** An image that fills the template is a text there, `Image(…)`, which no model sees; `help` says what shows images to one. */
  readonly printsImages?: { readonly help: string };
  /** Names of inputs that it takes beside those, also where the node gives none of them: what a misspelt one was meant for. */
  readonly otherInputs?: readonly string[];
  /** Type of the output, by the names of flow inputs (`string`, `list` …); only where it is the same whatever the node gets. */
  readonly outputType?: string;
  /** All that the output, a mapping then, may have at its first level. */
  readonly outputProperties?: readonly string[];
  /** Functions that the node's `functions`/`tools` offer to the model, with their places. */
  readonly offeredFunctions?: readonly { readonly name: string; readonly span?: Span }[];
  /** Functions that the node's code can run when a model asks for them. */
  readonly definedFunctions?: readonly string[];
  /** Inputs one of which must be given, by the type of the node's connection. */
  readonly requiredByConnection?: Readonly<Record<string, readonly string[]>>;
  /** Types of connections that its inputs take, by the names of inputs. */
  readonly acceptedConnections?: Readonly<Record<string, readonly string[]>>;
  /** It asks the connections of `retry: {fallback: […]}` where its own cannot answer. */
  readonly takesFallback?: boolean;
  /** Files the node reads, relative to the flow's folder: part of its fingerprint. */
  readonly files: readonly string[];
  /** Files of code that it loads beside them, as the code of its tools is. */
  readonly loadedFiles?: readonly string[];
  /** The module of an installed package whose code the node is, and the tool that a package of tools has to list. */
  readonly neededModule?: { readonly name: string; readonly tool: string; readonly span?: Span };
  /** Packages that it needs for the services it would ask, and that are not installed. */
  missingPackages?(connections: ConnectionSource): readonly MissingPackage[];
  /** What of the connections it names hardly fits it: a secret that is not there, a model that is another connection's. */
  connectionDoubts?(connections: ConnectionSource): readonly ConnectionDoubt[];
}

export interface ConnectionDoubt {
  /** The node cannot run with it; with `allowsRun` that fails the rows which come to it, and no more. */
  readonly isCertain?: true;
  readonly allowsRun?: true;
  /** It is named, and there is none. */
  readonly isMissing?: true;
  readonly message: string;
  readonly help: string;
  /** Of the key of the node that the doubt is about. */
  readonly path: readonly (string | number)[];
  /** Where it stands in another file than the flow's. */
  readonly span?: Span;
}

export interface MissingPackage {
  /** What needs which package, in one sentence. */
  readonly message: string;
  /** The command that installs it. */
  readonly install: string;
  /** Of the key of the node that asks for it. */
  readonly path: readonly (string | number)[];
}
