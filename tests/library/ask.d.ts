// Written by flow types: write it again when the inputs or outputs of the flow change.

/** What the flow ask is given, and what it gives. */
export interface Ask {
  readonly inputs: {
    /** what somebody asks */
    readonly question: string;
    readonly tone?: 'plain' | 'polite';
  };
  readonly outputs: {
    readonly answer: string | null;
  };
}
