import type { codePart, unseenPart } from '@unroll/engine';

/**
 * What was seen of code while it ran, as a thread or a worker tells it. Modules have names: of a file of the user's its
 * absolute path, of a package a name that is no path.
 */
export type Sighting =
  /** One module imported another. */
  | { readonly kind: 'import'; readonly from: string; readonly to: string }
  /** What a package is; told when it is first imported, from a folder. */
  | { readonly kind: 'package'; readonly module: string; readonly name: string; readonly from: string }
  /** Something was read: a file, a folder, a variable. Where no module is named it may have been any. */
  | { readonly kind: 'read'; readonly by: readonly string[]; readonly part: string; readonly value: string };

/** Value of a variable, which only the side that keeps the key tells. */
export const valueOfVariable = '';

/** Beginnings of parts, each followed by a name or a path as it is shown. */
export const partStart = {
  file: 'reads ',
  link: 'link ',
  names: 'lists ',
  allNames: 'lists all of ',
  package: 'package ',
  variable: 'variable ',
  flowVariable: 'given variable ',
  allVariables: 'all variables',
  allFlowVariables: 'all given variables',
  workingFolder: 'working folder',
  // The engine's own words: a thread starts faster without the rest of it.
  code: 'code ' satisfies typeof codePart,
  unseen: 'unseen ' satisfies typeof unseenPart,
} as const;
