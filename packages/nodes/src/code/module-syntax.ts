import { blankScript } from './blank-script.ts';

const moduleSyntax =
  /^\s*(?:import(?![\w$])\s*[\w{*'"]|export(?![\w$])\s*(?:[{*]|(?:default|const|let|var|function|class|async)\b))/m;
const blankModuleSyntax =
  /^\s*(?:import(?![\w$])(?:\s*[\w{*]| {3})|export(?![\w$])\s*(?:[{*]|(?:default|const|let|var|function|class|async)\b))/m;
const commonJsSyntax = /\bmodule\.exports\b|^\s*exports\.\w+\s*=/m;

/** Whether a text imports and exports as modules do, and not as CommonJS does. What strings and comments hold is neither. */
export function isWrittenAsModule(text: string): boolean {
  return hasModuleSyntax(text) && !commonJsSyntax.test(blankScript(text));
}

/** Whether a text imports or exports as modules do, whatever else it does: what strings and comments hold is neither. */
export function hasModuleSyntax(text: string): boolean {
  return moduleSyntax.test(text) && blankModuleSyntax.test(blankScript(text));
}
