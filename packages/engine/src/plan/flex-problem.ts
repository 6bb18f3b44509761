import type { EntrySignature } from '../node/signature.ts';
import type { DiagnosticDetails } from '../source/diagnostic-details.ts';
import { didYouMean } from '../source/nearest-name.ts';

/** Why the entry of a flow that is code cannot be called. */
export interface Problem {
  readonly message: string;
  readonly help: string;
  readonly details: DiagnosticDetails;
}

/**
 * There is no file for the module that the entry names.
 *
 * @param file the flow's definition, as it is shown
 */
export function noModule(entry: string, file: string): Problem {
  const [module = ''] = entry.split(':');
  const path = module.replaceAll('.', '/');
  return {
    message: `there is no module ${module}`,
    help: module.endsWith('.py')
      ? `a module is named without .py: ${entry.replace('.py:', ':')}`
      : `a file ${path}.py in the folder of the flow`,
    details: { kind: 'entry-without-module', file, entry },
  };
}

/** The module has nothing of that name; undefined where it has. */
export function noSuchName(entry: string, { path, found, names }: EntrySignature): Problem | undefined {
  const name = entry.split(':')[1] ?? '';
  if (name.includes('.')) return ofMember(entry, name);
  if (found) return undefined;
  const help = didYouMean(name, names) ?? (names.length === 0 ? 'it defines nothing' : `it has ${names.join(', ')}`);
  return {
    message: `${path} has no function or class "${name}"`,
    help,
    details: { kind: 'entry-unknown', entry },
  };
}

/** Prompt flow asks the module itself for the name, so what a class or an object has is not found. */
function ofMember(entry: string, name: string): Problem {
  return {
    message: `an entry is a function or a class of the module itself, not "${name}"`,
    help: `write a function of the module that calls ${name}, and name that; of a class, __call__ is called`,
    details: { kind: 'entry-unknown', entry },
  };
}

/** What the entry names is no function and no class that can be called; undefined where it is. */
export function notCallable(entry: string, { isCallable }: EntrySignature): Problem | undefined {
  if (isCallable !== false) return undefined;
  const name = entry.split(':')[1] ?? '';
  return {
    message: `the class "${name}" cannot be called: it has no __call__`,
    help: 'a row is given to def __call__(self, …) of the class',
    details: { kind: 'entry-not-callable', entry },
  };
}
