import type { MessageFormat } from '../image/image-forms.ts';
import type { SourceFile, Span } from '../source/source-file.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { ChosenModel } from './chosen-model.ts';
import type { Fallback } from './fallback.ts';

/** A flow file as the author wrote it, checked for shape only. References are still text. */
export interface FlowSpec {
  readonly file: SourceFile;
  readonly id?: string;
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
  /** `standard`, `evaluation`, `chat`: metadata without effect on a run. */
  readonly type?: string;
  readonly language?: string;
  readonly messageFormat: MessageFormat;
  /** Nothing but the standard format's own parts: no loop and no node type that we add. */
  readonly isStandard: boolean;
  /**
   * Whether a line such as `system:` in a value that did not come straight from an input of the flow starts a message in a
   * chat template. By default where the flow is standard.
   */
  readonly valuesOpenRoles: boolean;
  readonly inputs: readonly FlowInputSpec[];
  readonly outputs: readonly FlowOutputSpec[];
  /**
   * Node whose output is the row's outputs as a whole: the members of a mapping, anything else as `output`. Of flows that are
   * code or a prompty; `outputs` is then what is declared, or `output`.
   */
  readonly answersBy?: string;
  /** Of code whose parameters cannot be seen: rows give it whatever they have, and it takes what it has parameters for. */
  readonly takesAnyInput?: true;
  /** Whether a text `data:image/png;path:NAME` is an image in any input, as in prompties. */
  readonly readsImageTexts?: boolean;
  readonly nodes: readonly NodeSpec[];
  readonly loops: readonly LoopSpec[];
  readonly nodeVariants: JsonObject;
  readonly environmentVariables: JsonObject;
  readonly additionalIncludes: readonly string[];
  /** Top-level keys that no release of the format knows; kept so that `flow expand` loses nothing. */
  readonly otherKeys: JsonObject;
  /** Inputs to try the flow with when none are given, or the JSON file that holds them; of flows that are a prompty or code. */
  readonly sample?: JsonValue;
  locate(path: SpecPath, part?: 'key' | 'value'): Span | undefined;
}

/** Path into the written YAML: `['nodes', 2, 'inputs', 'query']`. */
export type SpecPath = readonly (string | number)[];

export interface FlowInputSpec {
  readonly name: string;
  readonly type: string;
  /** undefined: the input is required (as is a written null). */
  readonly default?: JsonValue;
  /** Of code that is a flow, where its signature alone tells of the input: rows give it as it is, or leave it to the code. */
  readonly isAnnotated?: boolean;
  /** Of code: whether the default that comes before a column of data is there, whatever `default` says. */
  readonly hasOwnDefault?: boolean;
  /** Its default is the value of a sample: a column of data comes before it, and it stands for one that is not there. */
  readonly isOfSample?: true;
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  readonly isChatInput: boolean;
  /** Absent where the input is not marked, one way or the other. */
  readonly isChatHistory?: boolean;
}

export interface FlowOutputSpec {
  readonly name: string;
  readonly type: string;
  /** Reference or literal as written. */
  readonly reference?: JsonValue;
  readonly description?: string;
  readonly evaluationOnly: boolean;
  readonly isChatOutput: boolean;
}

export interface NodeSpec {
  readonly name: string;
  readonly type: string;
  readonly source?: {
    readonly type: 'code' | 'package' | 'package_with_prompt';
    readonly path?: string;
    readonly tool?: string;
  };
  readonly connection?: string;
  readonly api?: string;
  readonly inputs: JsonObject;
  readonly activate?: { readonly when: JsonValue; readonly is: JsonValue };
  readonly aggregation: boolean;
  readonly useVariants: boolean;
  /** Retries of a failed call that may succeed when made again, and who is asked then; ours. */
  readonly retry?: {
    readonly times?: number;
    readonly wait_seconds?: number;
    readonly fallback?: readonly Fallback[];
  };
  /** Seconds; ours. */
  readonly timeout?: number;
  readonly settings: JsonObject;
  /** Of this run; never written. */
  readonly chosen?: ChosenModel;
  /** Where the author wrote it. */
  readonly path: SpecPath;
  /** Set on the instances of an unrolled loop. */
  readonly instance?: NodeInstance;
  /** Set where a failing node feeds its error back to the model instead of failing the row. */
  readonly feedBack?: { readonly stateInput: string; readonly messageInput: string };
}

/** The same node at another place: `agent_2` is iteration 2 of family `agent` of its loop. */
export interface NodeInstance {
  readonly loop: string;
  /** Name in the loop; the loop's own name for its end node. */
  readonly family: string;
  /** From 1; 0 for the end and finalize nodes. */
  readonly iteration: number;
  /** The loop it gives the result of, where that loop is an agent in another loop: it is a node of that one too. */
  readonly ends?: string;
  /** The iteration of the loop around its loop. */
  readonly outer?: { readonly loop: string; readonly iteration: number };
}

/** The loop a node gives the result of; undefined for any other node. */
export function endedLoop(instance: NodeInstance | undefined): string | undefined {
  if (instance?.ends !== undefined) return instance.ends;
  return instance?.family === instance?.loop && instance?.iteration === 0 ? instance.loop : undefined;
}

/** How much may be spent; what is absent has no limit. */
export interface Budget {
  /** Sent and received. */
  readonly tokens?: number;
  /** US dollars. */
  readonly cost?: number;
  readonly seconds?: number;
}

/**
 * A bounded loop: a group of nodes that is repeated `times` times and carries a state object along.
 *
 *     state -> agent_1 -> function_1 -> agent_2 -> function_2 -> ... -> <name>
 *
 * The last node of the group gives the next state and always runs; the others run only while `state.<until>` is false.
 * The node `<name>` gives `{status, answer, ...}`; see `loop-end.ts`.
 */
export interface LoopSpec {
  readonly name: string;
  readonly times: number;
  /** Reference to the first state. */
  readonly state: string;
  /** Property of the state that ends the loop; default `finished`. */
  readonly until: string;
  readonly onExhausted: 'unfinished' | 'fail' | 'finalize';
  readonly onError: 'fail' | 'feed_back';
  readonly nodes: readonly NodeSpec[];
  /** What its iterations may spend on one row; reached, the loop goes round no more and does what its bound does. */
  readonly budget?: Budget;
  /** false: what was found on the way is left out of the result. */
  readonly keepsResults?: boolean;
  /** Words that an answer stands behind in what the finalize node says; all of it where it says none. */
  readonly answerBehind?: string;
  /** Node that answers when the bound is reached; only with `on_exhausted: finalize`. */
  readonly finalize?: NodeSpec;
  /** Where it is an agent of another loop: what that agent is there. */
  readonly outer?: NodeInstance;
  readonly path: SpecPath;
}
