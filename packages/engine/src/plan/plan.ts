import type { Budget, FlowInputSpec, NodeInstance } from '../flow/flow-spec.ts';
import type { PathStep } from '../flow/reference.ts';
import type { MessageFormat } from '../image/image-forms.ts';
import type { NodeDefinition } from '../node/node-definition.ts';
import type { ImportedModule } from '../node/node-type.ts';
import type { SourceFile, Span } from '../source/source-file.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';

/** A flow ready to be made runnable: no loop, no text reference, nodes in the order they can run. */
export interface Plan {
  readonly file: SourceFile;
  readonly flowId: string;
  readonly name: string;
  /** Form of images in what rows are given, and in what they give. */
  readonly messageFormat: MessageFormat;
  /** `message_format`: form of images in literals, beside data files, and in what a node that runs alone is given. */
  readonly writtenFormat: MessageFormat;
  readonly isStandard: boolean;
  readonly valuesOpenRoles: boolean;
  readonly inputs: readonly FlowInputSpec[];
  readonly outputs: readonly PlanOutput[];
  /** Id of the node whose output is the row's outputs as a whole. */
  readonly answersBy?: number;
  /** Whether its code is given whatever a row has, its parameters being unseen. */
  readonly takesAnyInput?: true;
  /** Whether a text `data:image/png;path:NAME` is an image in any input. */
  readonly readsImageTexts?: boolean;
  /** Stable topological order (first ready in file order); `id` is the index. Aggregation nodes come in the same order. */
  readonly nodes: readonly PlanNode[];
  readonly loops: readonly PlanLoop[];
  readonly environmentVariables: JsonObject;
  /** In the order in which they are imported. */
  readonly modules?: readonly ImportedModule[];
  /** Inputs to try the flow with when none are given, or the JSON file that holds them. */
  readonly sample?: JsonValue;
}

export interface PlanNode {
  readonly id: number;
  readonly name: string;
  readonly definition: NodeDefinition;
  readonly inputs: readonly PlanInput[];
  readonly activate?: { readonly when: Binding; readonly is: JsonValue; readonly text: string };
  readonly aggregation: boolean;
  /** Ids of the nodes it waits for, each once, ascending: through inputs and through `activate`. */
  readonly dependencies: readonly number[];
  /** Ids of the nodes that wait for it. */
  readonly dependents: readonly number[];
  readonly instance?: NodeInstance;
  readonly feedBack?: { readonly stateInput: string; readonly messageInput: string };
  readonly retry?: { readonly times: number; readonly waitMs: number };
  readonly timeoutMs?: number;
}

export interface PlanInput {
  readonly name: string;
  readonly binding: Binding;
  /** The node's code declares it as a text. */
  readonly isText?: true;
  readonly span?: Span;
}

export interface PlanOutput {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly binding: Binding;
  readonly evaluationOnly: boolean;
  readonly isChatOutput: boolean;
}

export type Binding =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  /** `isLeftOut`: where a row does not give the input, what reads it does without. */
  | { readonly kind: 'flow-input'; readonly input: string; readonly isLeftOut?: true }
  | NodeBinding;

export interface NodeBinding {
  readonly kind: 'node-output';
  readonly node: number;
  readonly nodeName: string;
  /** Steps of the property path; empty for the whole output. */
  readonly path: readonly PathStep[];
  /** The path as written, for error texts. */
  readonly pathText: string;
  /** A section other than `output`, as written: reading it fails with `UnsupportedReference`. */
  readonly unsupportedSection?: string;
}

export interface PlanLoop {
  readonly name: string;
  readonly times: number;
  readonly until: string;
  readonly families: readonly string[];
  readonly budget?: Budget;
  /** Id of the node named after the loop, which gives the loop's result. */
  readonly endNode: number;
}
