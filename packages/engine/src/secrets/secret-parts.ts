/** Words of a name that say its value is a secret: `SOME_API_KEY`, `accountKey`, `db-password`. */
const secretWord =
  /^(?:key|apikey|accountkey|token|secret|password|passwd|pwd|passphrase|credentials?|sig|signature|sas)$/;

/** Whether a field, a variable or a parameter is secret by its name. */
export function isSecretName(name: string): boolean {
  return wordsOf(name).some((word) => secretWord.test(word)) || /connection[_ -]?string/i.test(name);
}

/**
 * Whether a value is a secret by its name and by its look. A path, an address or a text of several words is none; any other of 8 characters or more is
 * one where it holds a digit, or where the name ends with what it is (`DB_PASSWORD`, not `SECRET_NAME`) and it has 12 or more. What
 * stands among the secrets of a connection needs no such look.
 */
export function isNamedSecret(name: string, value: string): boolean {
  if (!isSecretName(name) || value.length < 8 || /\s|^[./~]|^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return false;
  const last = wordsOf(name).findLast((word) => !/^\d+$/.test(word)) ?? '';
  return /\d/.test(value) || (secretWord.test(last) && value.length >= 12);
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/**
 * The secrets within a secret: the password of an address, the key of a connection string, the signature of a signed address, the key in
 * JSON credentials, the lines of a PEM key.
 */
export function secretParts(secret: string): readonly string[] {
  return [...inAddress(secret), ...inFields(secret), ...inJson(secret), ...inLines(secret)];
}

/** What is secret in the value of a variable that is not so as a whole. */
export function secretsInVariable(name: string, value: string): readonly string[] {
  if (isSecretName(name)) return secretParts(value);
  return name.endsWith('_HEADERS') ? inHeaders(value) : inAddress(value);
}

/** What is secret in an address that is none itself: its user's password and what its query signs it with. */
function inAddress(text: string): readonly string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  const signed = [...searchParams].flatMap(([name, value]) => (isSecretName(name) || name === 'code' ? [value] : []));
  return [...(password === '' ? [] : [decoded(password)]), ...signed];
}

/** Credentials in headers as OpenTelemetry's variables write them, `authorization=Basic%20…,x-api-key=…`, without the words before them. */
function inHeaders(text: string): readonly string[] {
  return text.split(',').flatMap((header) => {
    const value = decoded(header.slice(header.indexOf('=') + 1));
    return value
      .trim()
      .split(/\s+/)
      .slice(-1)
      .filter((credentials) => credentials.length >= 8);
  });
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
