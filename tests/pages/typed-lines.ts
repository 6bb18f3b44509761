import { lasting } from './shown-runs.ts';

/** A command line of a page's blocks, in the order of the page, with the lines that the page says it prints: none where it shows none. */
export interface PageLine {
  readonly command: string;
  readonly lines: readonly string[];
}

const block = /^```(?<language>\w*)\n(?<fenced>[\s\S]*?)^```$|(?<indented>(?:^ {4}.*\n(?:\n(?= {4}))*)+)/gm;
/** What a reader types: `flow`, or what goes before and after it in its examples. */
const typed = /^(?:\$ )?(?:[A-Z_]+=\S+ |printf .*\| )*(?:flow|curl|rm|export|npm|docker) .*/;

/** All command lines of a page's blocks. */
export function pageLines(page: string): readonly PageLine[] {
  const joined = page.replaceAll(/ *\\\n\s*/g, ' ');
  const blocks = [...joined.matchAll(block)].flatMap(({ groups = {} }) => {
    const { language = '', fenced = '', indented } = groups;
    if (indented !== undefined) return [indented.replaceAll(/^ {4}/gm, '')];
    return ['', 'sh'].includes(language) ? [fenced] : [];
  });
  return blocks.flatMap(linesOf);
}

function linesOf(text: string): readonly PageLine[] {
  const found: { command: string; shown: string[] }[] = [];
  for (const line of text.split('\n')) {
    const last = found.at(-1);
    if (typed.test(line)) found.push({ command: line.replace(/^\$ /, '').replace(/ +#.*$| {3,}.*$/, ''), shown: [] });
    else if (last !== undefined && isOpen(last.command)) last.command += `\n${line}`;
    else last?.shown.push(line);
  }
  return found.map(({ command, shown }) => ({ command: command.trim(), lines: lasting(shown.join('\n')) }));
}

/** Whether a quote in it goes on in the next line. */
function isOpen(command: string): boolean {
  return command.replaceAll(/'[^']*'|"[^"]*"/g, '').includes("'");
}

/** A command line as a shell takes it apart. */
export interface TypedLine {
  readonly program: string;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What `printf` writes into it. */
  readonly stdin: string | undefined;
  /** The file that `>` names. */
  readonly into: string | undefined;
}

/** @param home what `~` stands for */
export function typedLine(command: string, home: string): TypedLine {
  const [, printed, line = ''] = /^(?:printf '(.*?)' \| )?(.*)$/s.exec(command) ?? [];
  const [, settings = '', rest = ''] = /^((?:[A-Z_]+=\S+ )*)(.*)$/s.exec(line) ?? [];
  const [, told = '', into] = /^(.*?)(?: > (\S+))?$/s.exec(rest) ?? [];
  const [program = '', ...words] = shellWords(told).map((word) => word.replace(/^~(?=\/)/, home));
  const environment = Object.fromEntries([...settings.matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key, value]));
  return { program, words, environment, stdin: printed?.replaceAll('\\n', '\n'), into };
}

function shellWords(text: string): readonly string[] {
  const pieces = /'([^']*)'|"([^"]*)"|[^\s'"]+/g;
  const words = [...text.matchAll(new RegExp(`(?:${pieces.source})+`, 'g'))];
  return words.map(([word]) => word.replaceAll(pieces, (piece, single, double) => single ?? double ?? piece));
}
