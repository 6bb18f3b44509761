/**
 * Variables a template is written to do without: given a default, asked whether they are defined, or tested by an `if`.
 * Only looked for in the text; one that is missed is reported as missing although it need not be there.
 */
export function optionalVariables(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [code] of text.matchAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g)) {
    for (const guard of guards) for (const [, name = ''] of code.matchAll(guard)) found.add(name);
  }
  return found;
}

const guards: readonly RegExp[] = [
  /(?<![\w.])(\w+)\s*\|\s*(?:default|d)\b/g,
  /(?<![\w.])(\w+)\s+is\s+(?:not\s+)?(?:un)?defined\b/g,
  /\b(?:if|elif|and|or)\s+(?:not\s+)?(\w+)\s*(?=and\b|or\b|else\b|-?%\}|\}\})/g,
];
