import { posix } from 'node:path';
import type { FlowFiles, SourceFile } from '@unroll/engine';
import { blankScript } from './blank-script.ts';
import { isWrittenAsModule } from './module-syntax.ts';

/** What a module exports by its text. */
interface ModuleExports {
  readonly values: Set<string>;
  /** Gone once the file is loaded. */
  readonly types: Set<string>;
  /** What `export * from` names. */
  readonly others: string[];
  /** The text without strings and comments. */
  readonly blank: string;
}

/** What the module at a path of the flow's folder exports; undefined where its text leaves doubt. */
export type ReadExports = (path: string) => ModuleExports | undefined;

/** Reads each module once. */
export function exportsReader(files: Pick<FlowFiles, 'read'>): ReadExports {
  const known = new Map<string, ModuleExports | undefined>();
  return (path) => {
    if (known.has(path)) return known.get(path);
    const file = files.read(path);
    const read = file === undefined ? undefined : exportsOf(file);
    known.set(path, read);
    return read;
  };
}

/** Whether a module exports a name; `unknown` where its text leaves doubt. */
export type Exported = 'value' | 'type' | 'nothing' | 'unknown';

/** @param path relative to the flow's folder */
export function exportedAs(name: string, path: string, read: ReadExports, depth = 0): Exported {
  const module = depth > mostSteps ? undefined : read(path);
  if (module === undefined) return 'unknown';
  if (module.values.has(name)) return 'value';
  if (module.types.has(name)) return 'type';
  // One of several declared at once: `export const a = 1, b = 2`.
  if (new RegExp(`,\\s*${name.replaceAll('$', '\\$')}\\s*(?:[:;\\n]|=(?!=))`).test(module.blank)) return 'unknown';
  if (name === 'default') return 'nothing';
  const further = module.others.map((other) =>
    /^\.{1,2}\/.*\.[cm]?[jt]s$/.test(other)
      ? exportedAs(name, posix.join(posix.dirname(path), other), read, depth + 1)
      : 'unknown',
  );
  return further.find((one) => one !== 'nothing') ?? 'nothing';
}

const mostSteps = 20;

/** A file that is no module by its text may be one of CommonJS, which has a default export in any case. */
function exportsOfScript(blank: string): ModuleExports | undefined {
  if (/\b(?:module|exports|require|this|eval)\b/.test(blank)) return undefined;
  return { values: new Set(['default']), types: new Set(), others: [], blank };
}

function exportsOf(file: SourceFile): ModuleExports | undefined {
  const blank = blankScript(file.text);
  // In a file that is made smaller for the browser, exports stand behind other code.
  const isModule = isWrittenAsModule(file.text) || /(?<![\w$.])export(?=[\s{*])/.test(blank);
  if (!isModule) return exportsOfScript(blank);
  const found: ModuleExports = { values: new Set(), types: new Set(), others: [], blank };
  const isRead = [...blank.matchAll(/(?<![\w$.])export\b/g)].every(({ index }) =>
    readExport(blank.slice(index + 'export'.length), file.text.slice(index + 'export'.length), found),
  );
  return isRead ? found : undefined;
}

const declaredType = /^\s+(?:declare\s+)?(?:type|interface)\s+([\w$]+)/;
const declaredValue =
  /^\s+(?:(?:async\s+)?function\s*\*?\s*|(?:abstract\s+)?class\s+|(?:const|let|var)\s+(?=[\w$]+\s*[:=;\n]))([\w$]+)/;
const named = /^\s*(type\s*)?\{([^}]*)\}/;
const namespace = /^\s*\*\s*as\s+([\w$]+)/;
const all = /^\s*\*\s*from\s*(["'])([^"'\n]+)\1/;

/** Whether it is understood. @param blank what follows the word, without strings and comments */
function readExport(blank: string, text: string, { values, types, others }: ModuleExports): boolean {
  if (/^\s+default\b/.test(blank)) return values.add('default') !== undefined;
  const value = (declaredValue.exec(blank) ?? namespace.exec(blank))?.[1];
  if (value !== undefined) return values.add(value) !== undefined;
  const type = declaredType.exec(blank)?.[1];
  if (type !== undefined && type !== 'from') return types.add(type) !== undefined;
  const other = all.exec(text)?.[2];
  if (other !== undefined) return others.push(other) > 0;
  const [whole, allTypes, list = ''] = named.exec(blank) ?? [];
  if (whole === undefined) return /^\s*type\s*\*/.test(blank);
  return list.split(',').every((part) => {
    const [isOne, own, first = '', as] = /^\s*(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part) ?? [];
    if (isOne === undefined) return part.trim() === '';
    return (allTypes === undefined && own === undefined ? values : types).add(as ?? first) !== undefined;
  });
}
