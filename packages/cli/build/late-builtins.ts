import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

/** Loaded by Node itself before any program starts: what they export can be taken at once, at no cost. */
const loadedAtStart: ReadonlySet<string> = new Set([
  ...['async_hooks', 'buffer', 'diagnostics_channel', 'events', 'fs', 'path', 'process', 'querystring', 'timers'],
  ...['url', 'util'],
]);

/**
 * Modules of Node without `import`, which reads every export of a module, those too that load others when they are read:
 * `util` costs 14 ms of CPU that way, `http` all of undici. And those that Node has not loaded anyway are loaded when the
 * first of their functions is called.
 */
export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?[a-z_]+(\/[a-z_]+)?$/ }, ({ path, kind }) => {
      const id = path.replace(/^node:/, '');
      const isKnown = path.startsWith('node:') || builtinModules.includes(id);
      return isKnown && kind === 'import-statement'
        ? { path: id, namespace: 'builtin', sideEffects: false }
        : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: loadedAtStart.has(path) ? presentModule(path) : lateModule(path),
    }));
  },
};

/** What loads the module, and what stands for a class or an object of it until it is used. */
const lateHelpers = (id: string): string => `let loaded;
const load = () => (loaded ??= process.getBuiltinModule('node:${id}'));
const late = (read) => {
  const handlers = {};
  for (const trap of Reflect.ownKeys(Reflect)) {
    if (typeof trap === 'string') handlers[trap] = (_, ...given) => Reflect[trap](read(), ...given);
  }
  return new Proxy(function () {}, handlers);
};
`;

function presentModule(id: string): string {
  const lines = exportsOf(id).map(({ name, value, isMadeWhenRead }) =>
    isMadeWhenRead ? lateExport(name, value) : `export const ${name} = /* @__PURE__ */ (() => load().${name})();`,
  );
  return `${lateHelpers(id)}${lines.join('\n')}\nexport default /* @__PURE__ */ load();\n`;
}

function lateModule(id: string): string {
  const lines = exportsOf(id).map(({ name, value }) => lateExport(name, value));
  return `${lateHelpers(id)}${lines.join('\n')}\nexport default /* @__PURE__ */ late(load);\n`;
}

function lateExport(name: string, value: unknown): string {
  const isMethod = typeof value === 'function' && !/^[A-Z]/.test(name);
  if (isMethod) return `export function ${name}(...given) { return load().${name}(...given); }`;
  const isPlain = typeof value !== 'function' && typeof value !== 'object';
  return `export const ${name} = ${isPlain ? JSON.stringify(value) : `/* @__PURE__ */ late(() => load().${name})`};`;
}

interface BuiltinExport {
  readonly name: string;
  readonly value: unknown;
  readonly isMadeWhenRead: boolean;
}

function exportsOf(id: string): readonly BuiltinExport[] {
  const exported = process.getBuiltinModule(`node:${id}`) as { readonly [name: string]: unknown } | undefined;
  if (exported === undefined) throw new Error(`bug: Node has no module ${id}`);
  // Of those only looked at here it need not warn.
  process.noDeprecation = true;
  return Object.entries(Object.getOwnPropertyDescriptors(exported))
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, { get }]) => ({ name, value: exported[name], isMadeWhenRead: get !== undefined }))
    .filter(({ value }) => value !== undefined);
}
