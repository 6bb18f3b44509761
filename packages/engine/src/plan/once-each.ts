import type { Diagnostic } from '../source/diagnostic.ts';

/** A mistake that several instances of a loop, or several nodes of one template, repeat in the same words is told once. */
export function oncePerMessage(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return onceEach(diagnostics, ({ code, message, span }) => [code, message, span?.file.path, span?.start, span?.end]);
}

/** The same mistake at the same place comes once, however many iterations of a loop repeat it under their own names. */
export function oncePerPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return onceEach(diagnostics, ({ code, message, span }) =>
    span === undefined ? [code, message] : [code, span.start, span.end],
  );
}

function onceEach(
  diagnostics: readonly Diagnostic[],
  keyOf: (diagnostic: Diagnostic) => readonly unknown[],
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const key = JSON.stringify(keyOf(diagnostic));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
