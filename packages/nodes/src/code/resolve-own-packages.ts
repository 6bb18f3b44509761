import { registerHooks } from 'node:module';

let isRegistered = false;

/**
 * Lets the modules of a flow import `@unroll/nodes/functions` wherever the flow lies: where its own folder gives no such
 * package, the one that runs the flow is taken.
 */
export function resolveOwnPackages(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('@unroll/')) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
