import type { Keywords } from './python-types.ts';
import { raise } from './template-error.ts';

/**
 * Gives positional and keyword arguments to the parameters of a Python function; undefined for those not given.
 *
 * @throws PythonError TypeError with Python's words
 */
export function bindArguments(
  name: string,
  parameters: readonly string[],
  required: number,
  args: readonly unknown[],
  keywords: Keywords,
): readonly unknown[] {
  if (args.length > parameters.length) {
    const count = parameters.length === required ? `${required}` : `from ${required} to ${parameters.length}`;
    const noun = parameters.length === 1 ? 'argument' : 'arguments';
    const were = args.length === 1 ? 'was' : 'were';
    return raise('TypeError', `${name}() takes ${count} positional ${noun} but ${args.length} ${were} given`);
  }
  const bound: unknown[] = [...args];
  for (const key of Object.keys(keywords)) {
    const at = parameters.indexOf(key);
    if (at < 0) return raise('TypeError', `${name}() got an unexpected keyword argument '${key}'`);
    if (at < args.length) return raise('TypeError', `${name}() got multiple values for argument '${key}'`);
    bound[at] = keywords[key];
  }
  const missing = parameters.slice(0, required).filter((_, at) => bound[at] === undefined);
  if (missing.length > 0) {
    const quoted = missing.map((one) => `'${one}'`);
    const words = quoted.length < 3 ? quoted.join(' and ') : `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
    const noun = missing.length === 1 ? 'argument' : 'arguments';
    return raise('TypeError', `${name}() missing ${missing.length} required positional ${noun}: ${words}`);
  }
  return bound;
}
