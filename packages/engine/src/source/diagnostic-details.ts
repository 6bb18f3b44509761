import type { Span } from './source-file.ts';

/**
 * What a mistake is about, in parts, for programs that tell it in words of their own. A value is as the author wrote it, one
 * of those that YAML gives.
 */
export type DiagnosticDetails =
  | FileDetails
  | ShapeDetails
  | NodeDetails
  | ReferenceDetails
  | VariantDetails
  | EntryDetails
  | PromptyDetails;

type FileDetails =
  | { readonly kind: 'unreadable-yaml' }
  | {
      readonly kind: 'duplicate-key';
      readonly key: string;
      readonly mapping: Span | undefined;
      readonly again: Span | undefined;
      readonly value: unknown;
      readonly firstValue: unknown;
    }
  | { readonly kind: 'include-missing'; readonly path: string };

type ShapeDetails =
  /** `flow`: all that the file holds. */
  | { readonly kind: 'flow-shape'; readonly flow: unknown }
  | {
      readonly kind: 'source-type';
      readonly flow: unknown;
      readonly node: string;
      readonly nodeType: string;
      readonly sourceType: unknown;
    }
  | { readonly kind: 'message-format'; readonly format: string };

export type NodeDetails =
  /** No type that anybody knows. */
  | { readonly kind: 'node-type-unknown'; readonly node: string; readonly type: string }
  /** A type that cannot be run here; `undefined` where none is written. */
  | { readonly kind: 'node-type-not-run'; readonly node: string; readonly type: string | undefined }
  | { readonly kind: 'node-without-source'; readonly node: string }
  /** A node that runs alone has to have both. */
  | { readonly kind: 'no-type-or-source'; readonly node: string }
  | { readonly kind: 'half-condition'; readonly node: string }
  | { readonly kind: 'duplicate-node'; readonly node: string }
  | { readonly kind: 'file-missing'; readonly node: string; readonly path: string; readonly isTemplate: boolean }
  /** `problem`: what is told where the node is made ready, with the line. */
  | { readonly kind: 'template-syntax'; readonly node: string; readonly problem: string }
  | {
      readonly kind: 'literal-type';
      readonly node: string;
      readonly input: string;
      readonly value: unknown;
      readonly type: string;
    }
  | {
      readonly kind: 'connection-missing';
      readonly connection: string;
      /** Absent where an environment variable names the connection. */
      readonly node?: string;
      /** The name the author gave that node: all instances of a loop have one. */
      readonly writtenNode?: string;
      readonly known: readonly string[];
    }
  | { readonly kind: 'override-node'; readonly node: string }
  | { readonly kind: 'override-key'; readonly node: string; readonly key: string };

export type ReferenceDetails =
  | {
      readonly kind: 'unknown-input';
      readonly node: string;
      readonly input: string;
      readonly known: readonly string[];
      /** Where it is read: by an input of the node, by its condition, or by an input of a node that runs alone. */
      readonly by: 'input' | 'condition' | 'input of a node alone';
    }
  | { readonly kind: 'unknown-node'; readonly node: string; readonly reads: string }
  | { readonly kind: 'other-section'; readonly node: string; readonly reads: string; readonly section: string }
  | { readonly kind: 'reads-aggregation'; readonly node: string; readonly reads: readonly string[] }
  | { readonly kind: 'condition-of-aggregation'; readonly node: string; readonly reads: string }
  /** All nodes that cannot run, sorted: those of the circle and those that wait for it. */
  | { readonly kind: 'cycle'; readonly nodes: readonly string[] }
  | { readonly kind: 'output-without-reference'; readonly output: string }
  | { readonly kind: 'output-of-unknown-input'; readonly output: string; readonly input: string }
  | { readonly kind: 'output-of-unknown-node'; readonly output: string; readonly node: string };

export type VariantDetails =
  | { readonly kind: 'variant-format'; readonly variant: string }
  | { readonly kind: 'variant-node'; readonly node: string }
  | { readonly kind: 'variant-unknown'; readonly node: string; readonly variant: string }
  | { readonly kind: 'variants-absent'; readonly node: string }
  | { readonly kind: 'variants-without-default'; readonly node: string }
  | { readonly kind: 'default-variant-unknown'; readonly node: string; readonly variant: string }
  /** `variants`: all that the flow has. */
  | { readonly kind: 'variants-unreadable'; readonly variants: unknown }
  /** `entry`: what stands under the name of the node; `variant`: what stands under its default variant. */
  | { readonly kind: 'variants-incomplete'; readonly entry: unknown; readonly variant: unknown };

/** Of a flow that is code. */
type EntryDetails =
  | { readonly kind: 'entry-form'; readonly entry: string }
  | { readonly kind: 'entry-without-module'; readonly file: string; readonly entry: string }
  | { readonly kind: 'entry-unknown'; readonly entry: string }
  | { readonly kind: 'entry-not-callable'; readonly entry: string };

type PromptyDetails =
  | { readonly kind: 'prompty-form' }
  | { readonly kind: 'prompty-section'; readonly isList: boolean }
  | { readonly kind: 'prompty-value-type'; readonly type: unknown }
  | { readonly kind: 'prompty-model-twice' }
  | { readonly kind: 'prompty-file-missing'; readonly path: string };
