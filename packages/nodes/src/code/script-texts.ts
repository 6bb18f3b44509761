/** A text written in a script; escapes as they stand there. */
export interface ScriptText {
  /** Of a template with `${}`, what stands before the first. */
  readonly text: string;
  /** Whether it names a module that is imported. */
  readonly isImport: boolean;
  /** Whether it goes on with something put together while the code runs. */
  readonly isBegun: boolean;
}

const beforeModule = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*$/;
const piece =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(["'])((?:\\[\s\S]|(?!\1)[^\\\n])*)\1|(?<=(?:[=(,:[!&|?{};\n]|\b(?:return|typeof|case))\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*|[`{}]/y;
const templateEnd = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(`|\$\{|$)/y;

/** Texts of a TypeScript or JavaScript file, in order, those inside `${}` too; those in comments are none. */
export function scriptTexts(script: string): readonly ScriptText[] {
  const texts: ScriptText[] = [];
  /** Of each bracket that is open, whether it closes the `${` of a template. */
  const open: boolean[] = [];
  let at = 0;
  const readTemplate = (isStart: boolean): void => {
    templateEnd.lastIndex = at;
    const found = templateEnd.exec(script);
    if (found === null) return;
    const isBegun = found[1] === '${';
    const text = found[0].slice(0, found[0].length - (found[1]?.length ?? 0));
    if (isStart) texts.push({ text, isImport: isImport(script, at - 1), isBegun });
    if (isBegun) open.push(true);
    at = templateEnd.lastIndex;
  };
  while (at < script.length) {
    piece.lastIndex = at;
    const found = piece.exec(script);
    if (found === null) {
      at += 1;
      continue;
    }
    at = piece.lastIndex;
    const [whole, quote, quoted = ''] = found;
    if (quote !== undefined) texts.push({ text: quoted, isImport: isImport(script, found.index), isBegun: false });
    else if (whole === '`') readTemplate(true);
    else if (whole === '{') open.push(false);
    else if (whole === '}' && open.pop() === true) readTemplate(false);
  }
  return texts;
}

function isImport(script: string, at: number): boolean {
  return beforeModule.test(script.slice(Math.max(0, at - 40), at));
}
