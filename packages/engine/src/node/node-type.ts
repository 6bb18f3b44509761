import type { MessageFormat } from '../image/image-forms.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { RemoteValue } from '../value/remote-value.ts';
import type { SharedPlace } from '../value/shared-places.ts';
import type { ConnectionSource } from './connection-source.ts';
import type { FingerprintInputs } from './fingerprint-inputs.ts';
import type { NodeDefinition } from './node-definition.ts';
import type { NodeError } from './node-error.ts';
import type { NodeInspection } from './node-inspection.ts';
import type { NodeReport, Usage } from './node-report.ts';
import type { FinishedNode, RowScope } from './row-scope.ts';
import type { FlowScope } from './scope-slots.ts';
import type { ImageFetcher } from './services.ts';
import type { EntrySignature } from './signature.ts';

/**
 * A kind of node. Adding one is adding an object to the registry; shared code reads its properties and never its name.
 */
export interface NodeType {
  /** As written in the flow: `llm`, `prompt`, `python`, `lookup`. */
  readonly name: string;
  /** Raised when the same node would give another answer; part of its fingerprint. */
  readonly version: number;
  /**
   * `pure`, `reads` and `may write` may be answered from an earlier run, `writes` never. A node that `may write` is any
   * code of the user: one that does says so by `cache: false`.
   */
  readonly effects: 'pure' | 'reads' | 'may write' | 'writes';
  /** Keys a node of this type may have beside the common ones (`name type inputs activate aggregation comment …`). */
  readonly keys: readonly string[];
  /** Its nodes' file says which model is asked, and one run may ask another: `connection`, `model`, `deployment_name`. */
  readonly choosesModel?: true;
  /** What JSON Schema can say of its nodes beyond their keys, for editors. */
  editorSchema?(): object;
  /**
   * What can be known of a node without running it and without starting anything: its template's variables, its file,
   * the parameters of its code. Pure but for `files`.
   */
  inspect(node: NodeDefinition, files: FlowFiles): NodeInspection;
  /** Signature of code that is a flow by itself, where the type runs such code; undefined where its file is not there. */
  readEntry?(entry: string, files: FlowFiles): EntrySignature | undefined;
  /**
   * Imports modules that the flow names, before any node is made ready, where the type runs code that such modules are of.
   *
   * @throws PrepareError when one cannot be imported
   */
  importModules?(modules: readonly ImportedModule[], context: PrepareContext): Promise<void>;
  /**
   * Begins what takes long and goes on beside the rest, as a thread of its own does. Called for each node before the first is
   * made ready; whatever fails here is told by `prepare`.
   */
  begin?(node: NodeDefinition, context: PrepareContext): Promise<void>;
  /**
   * Mistakes that only what is installed here can tell: the programs that would run the nodes are asked, and none of the user's
   * code is run. Called once with all nodes of a flow, of this type or others.
   */
  checkInstalled?(nodes: readonly InspectedNode[], context: InstalledContext): Promise<readonly Diagnostic[]>;
  /** Makes ready what every row shares: compiles templates, loads code, opens connections. Called once a flow. */
  prepare(node: NodeDefinition, context: PrepareContext): Promise<PreparedNode>;
}

/** A node and what was seen of it. */
export interface InspectedNode {
  readonly definition: NodeDefinition;
  readonly inspection: NodeInspection;
}

/** What the programs are asked with that would run the nodes. */
export type InstalledContext = Pick<
  PrepareContext,
  'flow' | 'files' | 'environment' | 'connections' | 'isStandard' | 'modules'
>;

/** A module that the flow names to be imported first: `module:` of a node or of an inline tool. */
export interface ImportedModule {
  readonly module: string;
  /** Where it is named, as an error says it: `Import node 'answer' provider module 'm'`. */
  readonly what: string;
}

/** The flow's folder as nodes may see it: paths that lead out of the folder are refused. */
export interface FlowFiles {
  /** Absolute folder of the flow. */
  readonly folder: string;
  /** Text of a file in the folder; undefined when it does not exist. */
  read(path: string): SourceFile | undefined;
  /** Absolute path, or undefined when `path` leads out of the folder. */
  resolve(path: string): string | undefined;
  /** Names of the files in the folder, for suggestions. */
  list(): readonly string[];
  /** Text of a file outside of the folder, which code of the flow imports; not there where nothing but the folder may be seen. */
  readImported?(path: string): SourceFile | undefined;
}

export interface PrepareContext {
  /** Keeps what the nodes of the flow share. */
  readonly flow: FlowScope;
  readonly files: FlowFiles;
  /** A connection that is asked for is known to `redactor` from then on. */
  readonly connections: ConnectionSource;
  /** What comes from outside goes through it before it goes anywhere; what is told of a run goes through it anyway. */
  readonly redactor: Redactor;
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments given for this run to the class that is the flow, where it is one. They may be secret. */
  readonly init?: JsonObject;
  /** Names of node inputs bound straight to flow inputs are known from the definition; this is the flow's id for headers. */
  readonly flowId: string;
  /** Form of images in literals. */
  readonly messageFormat: MessageFormat;
  /** Whether values that are not bound straight to inputs of the flow may start messages in chat templates. */
  readonly valuesOpenRoles: boolean;
  /** Nothing but the standard format's own parts: no loop and no node type that we add. */
  readonly isStandard?: boolean;
  /** What is imported before code of a node is loaded. */
  readonly modules?: readonly ImportedModule[];
  /** Whether code that would run in the engine's own thread runs in others, so that none of it holds up the rest. */
  readonly inThreads?: boolean;
  /** Gets images by their addresses; without it they are refused. */
  readonly imageFetcher?: ImageFetcher;
  /** Closed with the flow, in reverse order. */
  readonly onClose: (close: () => void | Promise<void>) => void;
}

export interface PreparedNode {
  /**
   * What this node does where that is more than can be known of its type: one that calls programs which write. Or it
   * `reads unseen`: what it asks elsewhere may have changed and no part tells; it is answered from an earlier run only where
   * its definition says `cache: true`.
   */
  readonly effects?: 'writes' | 'reads unseen';
  /** All that decides its output beside its inputs, asked for once. Absent: the files that its inspection names. */
  parts?(): FingerprintInputs | Promise<FingerprintInputs>;
  /** Parts that count only through what they make of the inputs (a template): told for comparisons, in no fingerprint. */
  readonly renderedParts?: FingerprintInputs;
  /**
   * What its code has read so far in this run, as it was then: files, variables, modules, and what cannot be seen. The same
   * object while nothing is added. Absent: it runs no code of the user's.
   */
  reads?(): FingerprintInputs;
  /** What parts that its code read in an earlier run are now; a part that is left out cannot be the same. */
  readsNow?(earlier: FingerprintInputs): FingerprintInputs | Promise<FingerprintInputs>;
  /**
   * What stands for the inputs in the fingerprint: the prompt as rendered, with the parameters it is sent with. Absent: the
   * inputs themselves; undefined: these inputs cannot be rendered.
   */
  rendered?(inputs: JsonObject, call: NodeCall): JsonValue | undefined;
  /** Why `rendered` gives nothing for these inputs, where it does not; undefined where it gives something. */
  renderProblem?(inputs: JsonObject, call: NodeCall): NodeError | undefined;
  /** Names of parameters with a default: an input from a bypassed node is left out for these, null for the others. */
  readonly parametersWithDefault: ReadonlySet<string>;
  /** Literal inputs as the node takes them (converted, null and "" dropped); replaces the written ones. */
  readonly literals?: JsonObject;
  /** It looks into objects of programs: what they hold under these names is asked for before it starts. */
  readonly looksInto?: readonly string[];
  /** It ends itself when it took `timeLimitMs` of its call, counted from when it really began: calls may wait in a queue. */
  readonly keepsTime?: true;
  /** Every output of it has something beside it: a record without is not taken, the node runs again. */
  readonly givesBeside?: true;
  /** A plain value where it can be had at once, so that a row of synchronous nodes costs no promise. */
  run(inputs: JsonObject, call: NodeCall): NodeOutcome | Promise<NodeOutcome>;
}

export interface NodeCall {
  readonly runId: string;
  readonly line: number;
  /** Which repetition of the row, from 0. */
  readonly repeat?: number;
  readonly node: string;
  readonly signal: AbortSignal;
  /** Milliseconds it may take; told to nodes that keep the time themselves. */
  readonly timeLimitMs?: number;
  /** Nodes that ended for this row in an earlier attempt, by name. */
  readonly finished?: ReadonlyMap<
    string,
    FinishedNode & Pick<NodeSuccess, 'changed' | 'shared'> & { readonly usage?: Usage }
  >;
  /** The row it runs for; `rowAlone()` where it belongs to none. */
  readonly row: RowScope;
  /** Inputs of the flow for this row, for nodes that escape them. */
  readonly flowInputs: JsonObject;
  /** Wants the answer piece by piece; absent: whole. */
  readonly onText?: (text: string) => void;
  /** Whether a streamed answer is asked for with its tokens. */
  readonly countsTokens?: boolean;
  /** Is told of each call of a service that failed and will be made again. @param waitMs milliseconds until then */
  readonly onCallFailed?: (error: NodeError, waitMs: number) => void;
  /** Knows the secrets of the row beside those of the flow; absent: the row has none. */
  readonly redactor?: Redactor;
  /** Whether others read what it is given, so that what code changes in it has to be told. */
  readonly isShared?: true;
  /** By the names of inputs, what they are of where they are texts or numbers of a class of their own. */
  readonly originals?: Originals;
}

export type Originals = Readonly<Record<string, RemoteValue>>;

export type NodeOutcome = NodeSuccess | NodeFailure;

export interface NodeSuccess {
  readonly ok: true;
  readonly output: JsonValue;
  readonly report?: NodeReport;
  /** The output as its record shows it, where JSON cannot carry all that is in it. */
  readonly shown?: string;
  /** Inputs that the code changed while it ran, as they are now, by name. */
  readonly changed?: JsonObject;
  /** Inputs that others read through an object from now on, as they are now: they have a list in common with the output, or hold what JSON does not give again. */
  readonly kept?: JsonObject;
  /** Names of changed inputs that live elsewhere, of which copies are outdated: their owner tells what they hold. */
  readonly live?: readonly string[];
  /** What nodes of the same row have to know of the output and cannot see in it; recorded with it. */
  readonly beside?: JsonObject;
  /** The output is a copy of what was given, a tuple of Python's for instance, that its reader gets: a record does not give it again. */
  readonly inexact?: 'copied';
  /** Lists and mappings that stand in several places: recorded with the output, so that they are one where the row goes on. */
  readonly shared?: readonly SharedPlace[];
  /** The object itself, where the output is a text or a number of a class of its own. */
  readonly original?: RemoteValue;
}

export interface NodeFailure {
  readonly ok: false;
  readonly error: NodeError;
  readonly canceled?: boolean;
  readonly report?: NodeReport;
}

/** A flow that cannot be made ready: prepare throws this, the caller turns it into a diagnostic or an error of the run. */
export class PrepareError extends Error {
  readonly error: NodeError;
  /** The message in two parts, where it says what was expected. */
  readonly parts: { readonly problem: string; readonly expected: string } | undefined;
  constructor(error: NodeError, parts?: PrepareError['parts']) {
    super(error.message);
    this.error = error;
    this.parts = parts;
  }
}
