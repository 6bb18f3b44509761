import type { Diagnostic, SourceFile, Span } from '@unroll/engine';
import type { MissingImports } from './ask-imports.ts';
import { importFromHome } from './prompt-flow-homes.ts';

type UnfitFile = MissingImports['unfit'][number];

/** A Python file that cannot be what it is used as, at the line that shows it. @param severity where modules may be others in a run, a warning */
export function unfitFile(
  { kind, names, start, isCalled }: UnfitFile,
  file: SourceFile,
  severity: Diagnostic['severity'],
): Diagnostic {
  const span = kind === 'undefined' || kind === 'unsure' ? nameAt(start, names, file) : lineAt(start, file);
  return { severity: isCalled ? 'warning' : (severities[kind] ?? severity), ...words[kind](names), span };
}

const severities: Readonly<Partial<Record<UnfitFile['kind'], Diagnostic['severity']>>> = {
  tools: 'error',
  relative: 'error',
  decorator: 'error',
  undefined: 'error',
  unsure: 'warning',
  unset: 'warning',
  unfound: 'error',
  unmade: 'warning',
};

function nameAt(start: number, [name = '']: readonly string[], file: SourceFile): Span {
  return { file, start, end: start + name.length };
}

function lineAt(start: number, file: SourceFile): Span {
  const lineEnd = file.text.indexOf('\n', start);
  const text = file.text.slice(start, lineEnd === -1 ? undefined : lineEnd);
  const from = Math.min(start + text.search(/\S|$/), file.text.length);
  return { file, start: from, end: start + text.trimEnd().length };
}

function undefinedName([name = '', nearest]: readonly string[]): Pick<Diagnostic, 'code' | 'message' | 'help'> {
  const advice = nearest === undefined ? 'import it, or define it above' : `did you mean "${nearest}"?`;
  return {
    code: 'CODE_NAME',
    message: `nothing in this file defines ${name}`,
    help: name === 'tool' ? 'from promptflow.core import tool' : advice,
  };
}

const words: Readonly<
  Record<UnfitFile['kind'], (names: readonly string[]) => Pick<Diagnostic, 'code' | 'message' | 'help'>>
> = {
  tools: (names) => ({
    code: 'CODE_FUNCTION',
    ...(names.length === 0
      ? {
          message: 'the file has no tool',
          help: 'put `@tool` above the function that is the node: from promptflow.core import tool',
        }
      : {
          message: `the file has ${names.length} tools: ${names.join(', ')}`,
          help: 'leave `@tool` on one of them; another node has its tool in a file of its own',
        }),
  }),
  undefined: undefinedName,
  unsure: undefinedName,
  relative: () => ({
    code: 'CODE_NAME',
    message: 'the file of a node is in no package, so that a relative import finds nothing',
    help: 'leave out the dots: modules beside the file are found by their names',
  }),
  raises: () => ({
    code: 'CODE_FUNCTION',
    message: 'the file raises an exception whenever it is loaded',
    help: 'raise it in the function that is the node, where a row records it as its failure',
  }),
  unset: ([name = '']) => ({
    code: 'CODE_VARIABLE',
    message: `the file asks for the environment variable ${name} whenever it is loaded, and it is not set`,
    help: `set ${name}; flow run --env ${name}=… sets it for one run`,
  }),
  unfound: ([name = '']) => ({
    code: 'FILE_MISSING',
    message: `the file opens "${name}" whenever it is loaded, and there is no such file`,
    help: 'paths start at the folder of the flow',
  }),
  unmade: ([name = '', maker = '']) => ({
    code: 'FILE_MISSING',
    message: `the file opens "${name}" whenever it is loaded, and there is no such file yet: the package ${maker}, which names it, may make it`,
  }),
  decorator: ([decorator = '', argument = '']) => ({
    code: 'CODE_FUNCTION',
    message: `@${decorator} is handed ${argument} in place of the function, so that the file cannot be loaded`,
    help: `write \`@${decorator}\` alone, or name what it is given: \`@${decorator}(name=…)\``,
  }),
  circular: ([name = '', asked = '', asking = '']) => ({
    code: 'CODE_NAME',
    message: `${asked} imports ${asking} before it defines ${name}, so that ${name} is not there yet`,
    help: 'import it in the function that uses it, or move it to a file of its own that both import',
  }),
  name: ([name = '', module = '', nearest]) => {
    const help = importFromHome(module, name) ?? (nearest === undefined ? undefined : `did you mean ${nearest}?`);
    return {
      code: 'CODE_NAME',
      message: `${module} does not define ${name}`,
      ...(help === undefined ? {} : { help }),
    };
  },
};
