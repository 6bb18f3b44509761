/** What is taken of undici. */
export type Undici = Pick<typeof import('undici'), 'Agent' | 'EnvHttpProxyAgent'> & WebClasses;

/**
 * `Headers` and `Response` as undici has them, which is loaded anyway: Node's own come with a second undici inside Node, 40 ms
 * and 5 MB, loaded when the first of them is named.
 */
type WebClasses = Pick<typeof globalThis, 'Headers' | 'Response'>;

let loaded: Promise<Undici> | undefined;

/** The door to undici, loaded when first asked for: Node looks for a module at each `import()`, three times a call of a model. */
export function loadUndici(): Promise<Undici> {
  // undici is CommonJS, whose names Node does not all find.
  loaded ??= import('undici').then(({ default: undici }) => undici as unknown as Undici);
  return loaded;
}
