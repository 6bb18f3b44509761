import type {
  Connection,
  ConnectionSource,
  JsonObject,
  NodeCall,
  NodeDefinition,
  NodeOutcome,
  PrepareContext,
} from '@unroll/engine';
import type { NodeServices } from '@unroll/nodes';
import type { PromptTemplate } from '@unroll/nodes/building-blocks';

/** What tools ask the world through. */
export interface ToolServices extends NodeServices {
  /** `https://serpapi.com` */
  readonly serpApiUrl: string;
}

/** A node of a package tool on its way to be run: its connection found, its template read. */
export interface ToolNode {
  readonly node: NodeDefinition;
  readonly context: PrepareContext;
  readonly services: ToolServices;
  /** Of the input `connection`; absent where the node names none. */
  readonly connection?: Connection;
  /** Only for tools that take a prompt. */
  readonly prompt?: PromptTemplate;
}

export type RunTool = (inputs: JsonObject, call: NodeCall) => NodeOutcome | Promise<NodeOutcome>;

/** With which each row fails; as a doubt, with which it may be answered otherwise than was meant. */
export interface ConnectionMistake {
  readonly input: string;
  readonly isDoubt?: true;
  readonly message: string;
  readonly help: string;
}

/** A tool of Prompt flow's own packages, done here in our way: nothing of Python need be installed. */
export interface BuiltInTool {
  /** Name as it is shown, `Embedding`. */
  readonly name: string;
  /** Whether the tool fills a template: nodes of type `custom_llm`. */
  readonly takesPrompt: boolean;
  /** Whether it reads its template as the messages of a chat, but for an `api` that says otherwise. */
  readonly readsChat?: true;
  /** The inputs of its definition with their types: of Prompt flow, or names of connection classes. */
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  /** Inputs without which each row fails. */
  readonly required?: readonly string[];
  /** Inputs of which each row fails with any other text than these. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Whether each row fails where a node gives others. */
  readonly refusesOthers?: true;
  /**
   * What is wrong with the connection that a literal input names, not being one of a class of its own.
   *
   * @param given names of all inputs of the node, whatever fills them
   */
  connectionMistake?(
    literals: JsonObject,
    connections: ConnectionSource,
    given: ReadonlySet<string>,
  ): ConnectionMistake | undefined;
  /** Old ids of the tool. */
  readonly deprecatedIds?: readonly string[];
  /** Whether a node without a connection cannot be loaded, since the tool is made of it. */
  readonly isMadeOfConnection?: boolean;
  /** @throws PrepareError when the node cannot be run */
  prepare(given: ToolNode): Promise<RunTool>;
}
