import type { JsonObject, Tool } from '@unroll/engine';
import type { McpServer } from '../../mcp/index.ts';
import type { KeyPlace } from '../../openapi/key-place.ts';
import type { OperationArgument } from '../../openapi/operation-arguments.ts';
import type { ArgumentPlace } from '../../openapi/parameter-form.ts';
import type { LambdaToolDefinition } from '../lambda/index.ts';
import type { ApiPlace } from '../toolgen/run-action.ts';

/** A tool as its author defined it, checked; `executor` is what stands behind it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
  readonly effects: Tool['effects'];
  readonly returnDirect: boolean;
  /** Milliseconds one call may take. */
  readonly timeoutMs: number;
  /** Bytes of UTF-8 that a result may have, printed as the model reads it. */
  readonly maxBytes: number;
  readonly executor: ToolExecutor;
  /** Set where the tool is one operation of an OpenAPI document. */
  readonly operation?: ToolOperation;
}

export type ToolExecutor =
  /** A function of the flow's own code: `.ts`, `.js`, `.py`. `path` is relative to the flow's folder. */
  | { readonly kind: 'code'; readonly path: string; readonly functionName: string }
  | { readonly kind: 'lambda'; readonly lambda: Omit<LambdaToolDefinition, 'target'>; readonly target: LambdaPlace }
  | { readonly kind: 'http'; readonly connection?: string; readonly baseUrl?: string }
  /** An API of a catalogue, answered by a virtual API server (StableToolBench). */
  | { readonly kind: 'toolbench'; readonly url: string; readonly place: ApiPlace; readonly connection?: string }
  | { readonly kind: 'ends'; readonly status: NonNullable<Tool['ends']> };

/** Where a function lies; keys come from the connection, else from the environment as AWS's own clients find them. */
export interface LambdaPlace {
  readonly functionName: string;
  readonly region?: string;
  readonly endpoint?: string;
  readonly connection?: string;
  /** ARN of the role the function is called under. */
  readonly role?: string;
  /** File of the program, relative to the flow's folder: it runs here where the connection is the offline one. */
  readonly local?: string;
}

/** One operation of an OpenAPI document. */
export interface ToolOperation {
  /** Name of the action group, where the document is one. */
  readonly group?: string;
  /** Upper case. */
  readonly verb: string;
  /** Template form, `/orders/{id}`. */
  readonly path: string;
  readonly operationId: string;
  /** Where each argument travels. */
  readonly places: Readonly<Record<string, readonly ArgumentPlace[]>>;
  /** How arguments are written, where that is not how parameters of their place are by themselves. */
  readonly forms?: Readonly<Record<string, NonNullable<OperationArgument['forms']>>>;
  /** The argument that is the whole body, where the body is no object or more than its members. */
  readonly wholeBody?: string;
  readonly bodyType?: string;
  /** First server of the operation, its path or the document, its variables filled in. */
  readonly server?: string;
  /** That is at another origin than the document's own server: no key is sent there. */
  readonly isElsewhere: boolean;
  /** Where the service wants its key; in `Authorization` where absent. */
  readonly keyPlace?: KeyPlace;
}

/** What a flow writes below `tools`, in its order. */
export type ToolEntry =
  | { readonly kind: 'tool'; readonly tool: ToolDefinition }
  /** The tools of a server, those that are allowed. */
  | { readonly kind: 'mcp'; readonly server: McpServer };

/** The tools of an agent as they are written, checked; what a server offers is known once it is asked. */
export interface ToolTableDefinition {
  readonly entries: readonly ToolEntry[];
  /** Files that decide what the tools are, relative to the flow's folder. */
  readonly files: readonly string[];
}

export const defaultTimeoutMs = 60_000;

/** 1 MiB: a result goes to a model, which reads far less. */
export const defaultMostBytes = 1_048_576;
