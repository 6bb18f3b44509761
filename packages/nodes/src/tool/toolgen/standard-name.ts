/** Names of Python and JSON that an API or a parameter may not have; they get `is_` in front. */
const reserved = ['from', 'class', 'return', 'false', 'true', 'id', 'and'];

/** Longest name; of a longer one the end is kept, so that two may collide (`findCollisions`). */
const longest = 64;

/**
 * A name as ToolBench standardises it: characters other than ASCII letters, digits, `^`, `_` and CJK become `_`, runs of
 * `_` one, none at the ends; lower case; `get_` before a leading digit.
 */
export function standardize(name: string): string {
  const plain = name
    .replace(/[^\u4e00-\u9fa5^a-zA-Z0-9_]/gu, '_')
    .replace(/_+/g, '_')
    .toLowerCase()
    .replace(/^_+|_+$/g, '');
  return /^\d/.test(plain) ? `get_${plain}` : plain;
}

/** An API's or parameter's name with `is_` where it is reserved. */
export function unreserved(name: string): string {
  return reserved.includes(name) ? `is_${name}` : name;
}

/** `api_for_tool`, the last 64 characters. */
export function functionNameOf(tool: string, api: string): string {
  return `${unreserved(standardize(api))}_for_${standardize(tool)}`.slice(-longest);
}

/** Names that more than one (tool, API) would have, with those that would: never overwritten, always told. */
export function findCollisions(
  apis: readonly { readonly tool: string; readonly api: string }[],
): ReadonlyMap<string, readonly { readonly tool: string; readonly api: string }[]> {
  const byName = Map.groupBy(apis, ({ tool, api }) => functionNameOf(tool, api));
  return new Map([...byName].filter(([, claimants]) => claimants.length > 1));
}
