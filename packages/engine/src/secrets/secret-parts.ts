/** Words of a name that say its value is a secret: `SOME_API_KEY`, `accountKey`, `db-password`. */
const secretWord =
  /^(?:key|apikey|accountkey|token|secret|password|passwd|pwd|passphrase|credentials?|sig|signature|sas)$/;

/** Whether a field, a variable or a parameter is secret by its name. */
export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.split(/[^a-z0-9]+/).some((word) => secretWord.test(word)) || /connection[_ -]?string/.test(words);
}

/**
 * Whether a value whose name alone says that it is secret looks like one: 8 characters or more without white space, with a digit, and no path,
 * address or name in words (`x-api-key`, `/run/secrets/key2`). What stands among the secrets of a connection needs no such look.
 */
export function looksSecret(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && !/\s|^[./~]|^[a-z][a-z0-9+.-]*:\/\//i.test(value);
}

/**
 * The secrets within a secret: the password of an address, the key of a connection string, the signature of a signed address, the key in
 * JSON credentials, the lines of a PEM key.
 */
export function secretParts(secret: string): readonly string[] {
  return [...inAddress(secret), ...inFields(secret), ...inJson(secret), ...inLines(secret)];
}

/** What is secret in an address that is none itself: its user's password and what its query signs it with. */
export function inAddress(text: string): readonly string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  const signed = [...searchParams].flatMap(([name, value]) => (isSecretName(name) || name === 'code' ? [value] : []));
  return [...(password === '' ? [] : [decoded(password)]), ...signed];
}

/** `AccountKey=…;EndpointSuffix=…` and `sv=…&sig=…`; a value may hold `=`. */
function inFields(text: string): readonly string[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [];
  return text
    .replace(/^\?/, '')
    .split(/[;&]/)
    .flatMap((field) => {
      const [, name = '', value = ''] = /^\s*([\w .-]+?)\s*=(.*)$/s.exec(field) ?? [];
      return isSecretName(name) || /^shared ?access/i.test(name) ? [value, decoded(value)] : [];
    });
}

function inJson(text: string): readonly string[] {
  if (!/^\s*[[{]/.test(text)) return [];
  try {
    return secretFields(JSON.parse(text));
  } catch {
    return [];
  }
}

function secretFields(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' ? (isSecretName(name) ? [member, ...inLines(member)] : []) : secretFields(member),
  );
}

/** Logs tell a text of several lines line by line. */
function inLines(text: string): readonly string[] {
  const lines = text.trim().split(/\s*\n\s*/);
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= 16 && !line.startsWith('-----'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
