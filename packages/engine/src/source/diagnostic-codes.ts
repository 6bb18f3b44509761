/** What a code means and how to mend it; docs/diagnostics.md is printed from this table. */
export interface DiagnosticCode {
  /** One sentence. */
  readonly meaning: string;
  /** A few lines of YAML or template that show the mistake. */
  readonly example: string;
  readonly mend: string;
}

export const diagnosticCodes: Readonly<Record<string, DiagnosticCode>> = {};
