import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * `FormData`, `Headers`, `Request` and `Response` of the undici we load ourselves: for a library that names Node's own, as
 * `openai` does while it is loaded, Node loads a second undici from within itself (40 ms of CPU and 5 MB).
 */
export const ownWebClasses = "const { FormData, Headers, Request, Response } = library('undici');";

const looksGlobal = 'Object.getOwnPropertyDescriptor(globalThis, name)';

/** `openai` looks at the descriptor of the global `Headers` as well, which loads it. */
export const ownHeaders: Plugin = {
  name: 'own-headers',
  setup: ({ onLoad }) => {
    onLoad({ filter: /openai[\\/]lib[\\/]EventStream\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(looksGlobal)) throw new Error('bug: openai looks for its globals in another way');
      return { contents: text.replaceAll(looksGlobal, `(name === 'Headers' ? { value: Headers } : ${looksGlobal})`) };
    });
  },
};
