/** How a function of a file is called: with inputs by name, with the arguments of a tool, or as AWS Lambda calls a program. */
export type CallForm = 'node' | 'tool' | 'program';

/** A function of the flow's code. */
export interface CodePlace {
  /** Tells it from every other of the flow. */
  readonly key: string;
  /** Absolute. */
  readonly path: string;
  readonly form: CallForm;
  /** The name it is exported by; absent where the file decides which function is the node. */
  readonly functionName?: string;
}

export function nodePlace(path: string): CodePlace {
  return { key: path, path, form: 'node' };
}

export function exportedPlace(path: string, form: CallForm, functionName: string): CodePlace {
  return { key: `${form} ${functionName} ${path}`, path, form, functionName };
}
