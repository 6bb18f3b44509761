/** A block of code of the page, with the file it belongs to; `before` is how the line begins that it stands before. */
export interface RecipeBlock {
  readonly section: string;
  readonly file: string;
  readonly before?: string;
  readonly code: string;
}

export interface RecipePage {
  readonly blocks: readonly RecipeBlock[];
  /** Commands, each with the lines that it prints among others. */
  readonly tries: readonly { readonly command: readonly string[]; readonly lines: readonly string[] }[];
}

/** @param page Markdown; a block of code follows the line that names its file */
export function readRecipes(page: string): RecipePage {
  const blocks = [...page.matchAll(/^`([^`]+)`, (?:new|before `([^`]+)`):\n\n```\w+\n([\s\S]*?)^```$/gm)].map(
    ({ 1: file = '', 2: before, 3: code = '', index }): RecipeBlock => {
      const [section = ''] = page.slice(0, index).match(/^## .+$(?![\s\S]*^## )/m) ?? [];
      return { section: section.slice(3), file, ...(before === undefined ? {} : { before }), code };
    },
  );
  const console = /^```console\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
  const tries = console
    .split(/^\$ flow /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...lines] = text.trimEnd().split('\n');
      return { command: command.split(' '), lines };
    });
  return { blocks, tries };
}
