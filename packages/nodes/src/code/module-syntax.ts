const moduleSyntax = /^\s*(?:import\s*[\w{*'"]|export\s*(?:[{*]|(?:default|const|let|var|function|class|async)\b))/m;
const commonJsSyntax = /\bmodule\.exports\b|^\s*exports\.\w+\s*=/m;

/** Whether a text imports and exports as modules do, and not as CommonJS does. */
export function isWrittenAsModule(text: string): boolean {
  return moduleSyntax.test(text) && !commonJsSyntax.test(text);
}
