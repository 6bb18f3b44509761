/** A text written in a script; escapes as they stand there. */
export interface ScriptText {
  readonly text: string;
  /** Whether it names a module that is imported. */
  readonly isImport: boolean;
}

const pieces =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(["'])((?:\\[\s\S]|(?!\1)[^\\\n])*)\1|`((?:\\[\s\S]|[^\\`])*)`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/g;

const beforeModule = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*$/;

/** Texts of a TypeScript or JavaScript file, in order; those in comments are none, templates with `${}` are left out. */
export function scriptTexts(script: string): readonly ScriptText[] {
  return [...script.matchAll(pieces)].flatMap((found) => {
    const [, , quoted, template] = found;
    const text = quoted ?? template;
    if (text === undefined || (quoted === undefined && text.includes('${'))) return [];
    const before = script.slice(Math.max(0, found.index - 40), found.index);
    return [{ text, isImport: beforeModule.test(before) }];
  });
}
