/** Characters of what a service said that are told. */
const maxCharacters = 1000;

/** What a service said in one line, its begin where it said much; undefined where it said nothing. */
export function quoted(text: string, redact: (text: string) => string): string | undefined {
  // Redacted before it is cut: half a key would not be known as one.
  const line = redact(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line;
}

/** A value in JSON, for people; empty where it cannot be written so. */
export function shownJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** `api.example.com:443` of an address; undefined where it is none. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === '' ? (protocol === 'http:' ? '80' : '443') : port}`;
}
