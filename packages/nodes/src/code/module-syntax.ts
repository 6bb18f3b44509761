import { blankScript } from './blank-script.ts';

const moduleSyntax = /^\s*(?:import\s*[\w{*'"]|export\s*(?:[{*]|(?:default|const|let|var|function|class|async)\b))/m;
const blankModuleSyntax =
  /^\s*(?:import(?:\s*[\w{*]| {3})|export\s*(?:[{*]|(?:default|const|let|var|function|class|async)\b))/m;
const commonJsSyntax = /\bmodule\.exports\b|^\s*exports\.\w+\s*=/m;

/** Whether a text imports and exports as modules do, and not as CommonJS does. What strings and comments hold is neither. */
export function isWrittenAsModule(text: string): boolean {
  if (!moduleSyntax.test(text)) return false;
  const blank = blankScript(text);
  return blankModuleSyntax.test(blank) && !commonJsSyntax.test(blank);
}
