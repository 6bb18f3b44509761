import type { Diagnostic } from '@unroll/engine';

/** An exception of Prompt flow: its class, its text, and the node it is about where there is one. */
export interface PromptFlowError {
  readonly code: string;
  readonly message: string;
  readonly node?: string;
}

/** For each kind of mistake, the error that Prompt flow raises for it. */
export type ErrorsByKind<Details extends { readonly kind: string }> = {
  readonly [Kind in Details['kind']]: (
    details: Extract<Details, { readonly kind: Kind }>,
    diagnostic: Diagnostic,
  ) => PromptFlowError | undefined;
};
