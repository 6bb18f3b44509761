import type { Diagnostic, SourceFile } from '@unroll/engine';
import { blankScript } from './blank-script.ts';
import { closingBracket, splitAtCommas } from './brackets.ts';
import { parametersStart, startOfNamed } from './inspect-module.ts';

/** A parameter that is a name, with its type as it is written. */
interface WrittenParameter {
  readonly name: string;
  readonly type: string | undefined;
  readonly start: number;
}

/**
 * A function that takes its inputs apart, as one of Python does, though it is handed them all in one object. Told where its first
 * parameter is surely meant as one: it has the type of a single value; or no type and the name of an input, and another parameter has
 * that of another, or a member is read of it that is no input.
 *
 * @param inputs names of what it is handed
 * @param functionName the exported function that is meant; absent: the one that is the node
 */
export function inputsTakenApart(
  inputs: readonly string[],
  file: SourceFile,
  functionName?: string,
): readonly Diagnostic[] {
  const blank = blankScript(file.text);
  const start = functionName === undefined ? parametersStart(blank) : startOfNamed(blank, functionName);
  const [first, ...others] = start === undefined ? [] : namedParameters(blank, start);
  if (first === undefined) return [];
  const all = [first, ...others.filter(({ name }) => inputs.includes(name))];
  if (!isOneInput(all, inputs, blank)) return [];
  const pattern = `{ ${all.map(({ name }) => name).join(', ')} }`;
  const types = all.map(({ name, type }) => (type === undefined ? undefined : `${name}: ${type}`));
  const isTyped = types.every((one) => one !== undefined);
  const span = { file, start: first.start, end: first.start + first.name.length };
  const message = `the function takes "${first.name}" for one input, and is handed an object of all inputs`;
  const help = `write (${pattern}${isTyped ? `: { ${types.join('; ')} }` : ''})`;
  return [{ severity: 'warning', code: 'CODE_FUNCTION', message, span, help }];
}

function isOneInput(
  [first, ...others]: readonly WrittenParameter[],
  inputs: readonly string[],
  blank: string,
): boolean {
  if (first === undefined) return false;
  const { name, type } = first;
  if (type !== undefined) return /^(?:(?:string|number|boolean|bigint)(?:\[\])*|Array\b.*)$/s.test(type);
  if (!inputs.includes(name)) return false;
  const own = name.replaceAll('$', '\\$');
  const members = [...blank.matchAll(new RegExp(`(?<![\\w$.])${own}\\s*\\??\\.\\s*([\\w$]+)`, 'g'))].map(
    ([, one = '']) => one,
  );
  if (members.some((one) => inputs.includes(one))) return false;
  return others.length > 0 || members.length > 0;
}

/** Up to the first that is no plain name. */
function namedParameters(blank: string, start: number): readonly WrittenParameter[] {
  const end = closingBracket(blank, start);
  if (end === undefined) return [];
  const found: WrittenParameter[] = [];
  for (const part of splitAtCommas(blank, start, end)) {
    const [whole, name, type] = /^\s*([\w$]+)\s*\??\s*(?::([^=]+))?/.exec(blank.slice(part.start, part.end)) ?? [];
    if (whole === undefined || name === undefined) break;
    const at = part.start + whole.indexOf(name);
    found.push({ name, type: type?.trim(), start: at });
  }
  return found;
}
