/** What a code means and how to fix it; docs/diagnostics.md is printed from this table. */
export interface DiagnosticCode {
  /** One sentence. */
  readonly meaning: string;
  /** A few lines that show the mistake, in YAML where `language` says nothing else. */
  readonly example: string;
  readonly language?: 'yaml' | 'jinja' | 'typescript' | 'python';
  readonly fix: string;
}
