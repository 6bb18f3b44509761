import { type Diagnostic, formatDiagnostics } from '@unroll/engine';
import type { Style } from './style.ts';

/** All of them as `formatDiagnostics` has them, in the language of who reads. */
export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  { diagnostic, isColored }: Pick<Style, 'diagnostic' | 'isColored'>,
): string {
  return formatDiagnostics(diagnostics.map(diagnostic), { color: isColored });
}
