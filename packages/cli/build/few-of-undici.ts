import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** What our code and `openai` take of undici, where it is, and its name there. */
const taken: Readonly<Record<string, readonly [path: string, name?: string]>> = {
  Agent: ['./lib/dispatcher/agent'],
  EnvHttpProxyAgent: ['./lib/dispatcher/env-http-proxy-agent'],
  FormData: ['./lib/web/fetch/formdata', 'FormData'],
  Headers: ['./lib/web/fetch/headers', 'Headers'],
  Request: ['./lib/web/fetch/request', 'Request'],
  Response: ['./lib/web/fetch/response', 'Response'],
};

/**
 * undici with what is taken of it, each part loaded when it is first named: as a whole it loads mocks, caches, web sockets and
 * more, which takes as long as all of the `openai` package.
 */
export const fewOfUndici: Plugin = {
  name: 'few-of-undici',
  setup: ({ onLoad }) => {
    onLoad({ filter: /undici[\\/]index\.js$/ }, ({ path }) => {
      checkPlaces(createRequire(path));
      const getters = Object.entries(taken).map(([name, place]) => `get ${name}() { return ${required(place)}; },`);
      const methods = "Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));";
      return { contents: `${methods}\nmodule.exports = {\n${getters.join('\n')}\n};\n` };
    });
  },
};

function required([path, name]: readonly [path: string, name?: string]): string {
  return `require('${path}')${name === undefined ? '' : `.${name}`}`;
}

function checkPlaces(require: NodeJS.Require): void {
  const whole = require('./index.js') as { readonly [name: string]: unknown };
  for (const [name, [path, part]] of Object.entries(taken)) {
    const there = require(path) as { readonly [name: string]: unknown };
    if (whole[name] !== (part === undefined ? there : there[part])) throw new Error(`bug: undici has moved ${name}`);
  }
}
