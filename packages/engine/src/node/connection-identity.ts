import type { Connection } from './services.ts';

/** Where a connection leads is what counts, not how one is let in. */
const notTold = new Set(['auth_mode', 'resource_id', 'organization', 'max_response_bytes']);

/** What an answer depends on of a connection, without its secrets: `azure_open_ai api_base=https://x.openai.azure.com …`. */
export function connectionIdentity({ type, configs, content }: Connection): string {
  const settings = Object.entries(configs).filter(([name, value]) => !notTold.has(name) && value !== '');
  const places = settings.sort(byName).map(([name, value]) => `${name}=${withoutCredentials(value)}`);
  return [type, ...places, ...(content === undefined ? [] : [`content=${content}`])].join(' ');
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}

/** User, password, query and fragment of an address may hold secrets. */
function withoutCredentials(value: string): string {
  if (!URL.canParse(value) || !/^https?:/i.test(value)) return value;
  const { origin, pathname } = new URL(value);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
