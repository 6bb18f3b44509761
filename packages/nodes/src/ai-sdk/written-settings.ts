import type { Connection } from '@unroll/engine';

const prefix = 'settings.';

/**
 * What a provider is made with: `api_key` and `base_url` by the names all providers give them, and the connection's `settings`,
 * which it holds by their paths (`settings.headers.x-team`).
 */
export function writtenSettings({ configs, secrets }: Connection): Readonly<Record<string, unknown>> {
  const settings = members();
  if (isWritten(configs['base_url'])) settings['baseURL'] = configs['base_url'];
  if (isWritten(secrets['api_key'])) settings['apiKey'] = secrets['api_key'];
  for (const [path, text] of Object.entries(configs)) put(settings, path, literal(text));
  for (const [path, text] of Object.entries(secrets)) put(settings, path, text);
  return settings;
}

function isWritten(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function put(settings: Record<string, unknown>, path: string, value: unknown): void {
  if (!path.startsWith(prefix)) return;
  const names = path.slice(prefix.length).split('.');
  const last = names.pop() ?? '';
  let place = settings;
  for (const name of names) {
    const inner = (place[name] ?? members()) as Record<string, unknown>;
    place[name] = inner;
    place = inner;
  }
  place[last] = value;
}

/** Without a prototype, so that no name in a path is one of its own. */
function members(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** Connections hold texts; these were something else. */
function literal(text: string): unknown {
  return /^(true|false|null|-?\d+(\.\d+)?|\[.*\]|"(true|false|null|-?[\d.]+|\[.*\])")$/s.test(text)
    ? parsed(text)
    : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
