import type { Diagnostic, SourceFile } from '@unroll/engine';
import { mistake } from '../errors/mistake-in-file.ts';
import { blankScript } from './blank-script.ts';
import { outsideBrackets } from './brackets.ts';
import { whyModule } from './module-format.ts';
import { hasModuleSyntax } from './module-syntax.ts';

/**
 * What stands in CommonJS alone, in a file that Node loads as a module: at the top of the file, where it is come to whenever the file is loaded.
 *
 * @param path absolute
 */
export function commonJsMistakes(file: SourceFile, path: string): readonly Diagnostic[] {
  const blank = blankScript(file.text);
  const why = whyModule(file, path);
  if (why !== undefined) return [...required(file, blank, why), ...exported(file, blank, why)];
  return hasModuleSyntax(file.text) ? exported(file, blank, 'what it imports or exports makes a module of it') : [];
}

function required(file: SourceFile, blank: string, why: string): readonly Diagnostic[] {
  if (isOwn('require', blank) || /\b(?:createRequire|globalThis)\b|\brequire\s*[,}]/.test(blank)) return [];
  const calls = blank.matchAll(/^(?:(?:const|let|var)[ \t]+[^=\n]*=[ \t]*)?(?=require[ \t]*\()/gm);
  const help = `write \`import fs from "node:fs"\`, for instance: ${why}`;
  return outsideBrackets(blank, calls).map(({ 0: before, index }) =>
    told(file, 'require', index + before.length, help),
  );
}

function exported(file: SourceFile, blank: string, why: string): readonly Diagnostic[] {
  if (isOwn('module', blank) || isOwn('exports', blank) || /\bglobalThis\b/.test(blank)) return [];
  const [first] = outsideBrackets(blank, blank.matchAll(/^(?:(module\.exports)|exports)(?:\.[\w$]+)?[ \t]*=(?!=)/gm));
  if (first === undefined) return [];
  const isDefault = /^module\.exports[ \t]*=/.test(first[0]);
  const way = isDefault ? 'export default …' : 'export const name = …';
  return [told(file, first[1] ?? 'exports', first.index, `write \`${way}\` in its place: ${why}`)];
}

/** Made by the file itself, or asked for before it is used. */
function isOwn(name: string, blank: string): boolean {
  return new RegExp(`\\b(?:const|let|var|function|as|import|declare|typeof)\\s+${name}\\b`).test(blank);
}

function told(file: SourceFile, name: string, start: number, help: string): Diagnostic {
  const span = { file, start, end: start + name.length };
  return mistake('CODE_NAME', `there is no ${name} in a module`, span, help);
}
