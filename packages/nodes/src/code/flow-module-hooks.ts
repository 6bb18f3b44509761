import { type ResolveHookSync, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { files } from '../observe/content-now.ts';
import { isWrittenAsModule } from './module-syntax.ts';

let isRegistered = false;

/**
 * Lets the modules of a flow be written alike wherever the flow lies:
 *
 * - they import `@unroll/nodes/functions` also where their own folder gives no such package: the one that runs the flow is
 *   taken;
 * - `import` and `export` work also below a `package.json` that says `"type": "commonjs"`, as `npm init` writes it.
 */
export function registerFlowModuleHooks(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = resolveOrOwn(specifier, context, next);
      const isModule = isCommonJs(resolved.format) && isModuleFile(resolved.url);
      const format = resolved.format === 'commonjs' ? 'module' : 'module-typescript';
      return isModule ? { ...resolved, format } : resolved;
    },
  });
}

const resolveOrOwn: ResolveHookSync = (specifier, context, next) => {
  if (!specifier.startsWith('@unroll/')) return next(specifier, context);
  try {
    return next(specifier, context);
  } catch {
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
};

function isCommonJs(format: string | null | undefined): boolean {
  return format === 'commonjs' || format === 'commonjs-typescript';
}

/** Node looks at the syntax itself only where no `package.json` names a type. */
function isModuleFile(url: string): boolean {
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'file:' || !/\.[jt]s$/.test(pathname) || pathname.includes('/node_modules/')) return false;
  const source = files.readFileSync(fileURLToPath(new URL(pathname, 'file:')), 'utf8');
  return isWrittenAsModule(source);
}
