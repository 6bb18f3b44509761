import type { Diagnostic } from './diagnostic.ts';

/** By file, place and code; those without a place come last. Equal ones keep their order. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (left, right) =>
      compare(left.span === undefined, right.span === undefined) ||
      compare(left.span?.file.path ?? '', right.span?.file.path ?? '') ||
      compare(left.span?.start ?? 0, right.span?.start ?? 0) ||
      compare(left.code, right.code),
  );
}

function compare<T extends string | number | boolean>(left: T, right: T): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
