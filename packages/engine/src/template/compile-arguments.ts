import type { Arguments, Expression } from './ast.ts';
import { pairsOf } from './container-methods.ts';
import type { Keywords } from './python-types.ts';
import { iterate } from './python-values.ts';
import type { Evaluate, Frame } from './render-state.ts';
import { raise } from './template-error.ts';

/** Arguments of a call: the positional ones and the keywords. */
export type CompiledArguments = (frame: Frame) => { readonly args: readonly unknown[]; readonly keywords: Keywords };

/** Without a prototype: no name is a keyword that nobody gave. */
const noKeywords: Keywords = Object.freeze(Object.create(null) as Keywords);

export function compileArguments(given: Arguments, compile: (node: Expression) => Evaluate): CompiledArguments {
  const args = given.args.map((arg) => compile(arg));
  const keywords = given.keywords.map(([name, value]) => [name, compile(value)] as const);
  const spread = given.spread === null ? null : compile(given.spread);
  const more = given.keywordSpread === null ? null : compile(given.keywordSpread);
  return (frame) => {
    const values = args.map((arg) => arg(frame));
    if (spread !== null) for (const value of iterate(spread(frame))) values.push(value);
    if (keywords.length === 0 && more === null) return { args: values, keywords: noKeywords };
    const named = Object.create(null) as Record<string, unknown>;
    for (const [name, value] of keywords) named[name] = value(frame);
    if (more !== null) addKeywords(named, more(frame));
    return { args: values, keywords: named };
  };
}

function addKeywords(named: Record<string, unknown>, more: unknown): void {
  for (const [key, value] of pairsOf(more)) {
    const name = String(key);
    if (Object.hasOwn(named, name)) {
      raise('TypeError', `jinja2.runtime.Context.call() got multiple values for keyword argument '${name}'`);
    }
    named[name] = value;
  }
}
