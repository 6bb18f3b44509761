/** A module that a file names to be imported, with its place. */
export interface ImportOfModule {
  readonly name: string;
  /** Of the specifier with its quotes. */
  readonly start: number;
  readonly end: number;
  /** Followed whenever the file is loaded, and not asked for while it runs, as `import()` and `require()` are. */
  readonly isStatement: boolean;
  /** What stands before `from`, without comments: `import { a, b as c }`; empty where there is none. */
  readonly statement: string;
}

const specifier = /(\bfrom\s*|\bimport\s*\(?\s*|\b(?:require|getBuiltinModule)\s*\(\s*)(["'])([^"'\n]+)\2/g;

/** Characters before a specifier in which its statement is looked for. */
const longestStatement = 10_000;

/** Not the imports of types, which are gone before a file is loaded. @param blank the text without strings and comments */
export function importsOfModule(text: string, blank: string): readonly ImportOfModule[] {
  return [...text.matchAll(specifier)].flatMap(({ 0: whole, 1: before = '', 3: name = '', index }) => {
    if (blank[index] !== text[index]) return [];
    const statement = statementBefore(blank, index);
    const isFrom = before.startsWith('from');
    if (isFrom && /^(?:import|export)\s+type\s+[\w$*{]/.test(statement)) return [];
    const isStatement = isFrom ? /^(?:import|export)\b[^;]*$/.test(statement) : /^import\s*$/.test(before);
    return [
      {
        name,
        start: index + before.length,
        end: index + whole.length,
        isStatement,
        statement: isFrom && isStatement ? statement.trim() : '',
      },
    ];
  });
}

function statementBefore(blank: string, index: number): string {
  const before = blank.slice(Math.max(0, index - longestStatement), index);
  return before.slice(Math.max(before.lastIndexOf('import'), before.lastIndexOf('export'), 0));
}
