import type { EntrySignature } from '../node/node-type.ts';
import { didYouMean } from '../source/nearest-name.ts';

/** Why the entry of a flow that is code cannot be called. */
export interface Problem {
  readonly message: string;
  readonly help: string;
  /** `{file}` in the message stands for the definition file. */
  readonly promptFlow: { readonly code: string; readonly message: string };
}

/** There is no file for the module that the entry names. */
export function noModule(entry: string): Problem {
  const [module = ''] = entry.split(':');
  const path = module.replaceAll('.', '/');
  const message = `Failed to load python module for {file}: (ModuleNotFoundError) No module named '${module}'`;
  return {
    message: `there is no module ${module}`,
    help: module.endsWith('.py')
      ? `a module is named without .py: ${entry.replace('.py:', ':')}`
      : `a file ${path}.py in the folder of the flow`,
    promptFlow: { code: 'PythonLoadError', message },
  };
}

/** The module has nothing of that name; undefined where it has. */
export function noSuchName(entry: string, { path, found, names }: EntrySignature): Problem | undefined {
  const [module = '', name = ''] = entry.split(':');
  if (found || name.includes('.')) return undefined;
  const help = didYouMean(name, names) ?? (names.length === 0 ? 'it defines nothing' : `it has ${names.join(', ')}`);
  return {
    message: `${path} has no function or class "${name}"`,
    help,
    promptFlow: {
      code: 'PythonLoadError',
      message: `Failed to load python function '${name}' from file '${module}', got None.`,
    },
  };
}

/** What the entry names is no function and no class that can be called; undefined where it is. */
export function notCallable(entry: string, { isCallable }: EntrySignature): Problem | undefined {
  if (isCallable !== false) return undefined;
  const name = entry.split(':')[1] ?? '';
  return {
    message: `the class "${name}" cannot be called: it has no __call__`,
    help: 'a row is given to def __call__(self, …) of the class',
    promptFlow: { code: 'PythonLoadError', message: `Python class entry '${name}' does not have __call__ method.` },
  };
}
