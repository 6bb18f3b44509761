/** An import at the outermost level of a module, which is followed whenever the module is loaded. */
export interface ImportOfModule {
  readonly name: string;
  /** Of the specifier with its quotes. */
  readonly start: number;
  readonly end: number;
}

const specifier = /(?:\bfrom|^[ \t]*import)\s*(["'])([^"'\n]+)\1/gm;

/** Characters before a specifier in which its statement is looked for. */
const longestStatement = 10_000;

/** Not those of types, which are gone before a module is loaded, and none that is asked for while it runs. */
export function importsOfModule(text: string, blank: string): readonly ImportOfModule[] {
  return [...text.matchAll(specifier)].flatMap(({ 0: whole, 2: name = '', index }) => {
    const word = index + whole.search(/\S/);
    if (blank[word] !== text[word]) return [];
    const before = blank.slice(Math.max(0, word - longestStatement), word);
    const statement = before.slice(Math.max(before.lastIndexOf('import'), before.lastIndexOf('export'), 0));
    const isType = whole.startsWith('from') && /^(?:import|export)\s+type\s+[\w$*{]/.test(statement);
    const isStatement = !whole.startsWith('from') || /^(?:import|export)\b/.test(statement);
    const end = index + whole.length;
    return isType || !isStatement ? [] : [{ name, start: end - name.length - 2, end }];
  });
}
