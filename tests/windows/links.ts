import { registerHooks } from 'node:module';

/**
 * Wine shows links of Linux as folders, so that a module would be loaded twice: by its place in the workspace, and below
 * `node_modules`. Where links are links this changes nothing.
 */
const linked = /\/(packages\/\w+\/)?node_modules\/@unroll\//;

export function unlinked(place: string): string {
  return place.replace(linked, '/packages/');
}

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return { ...found, url: unlinked(found.url) };
  },
});
