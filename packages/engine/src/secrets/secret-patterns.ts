/** What stands in the place of a secret. */
export const secretMark = '***';

/** A form by which a key is known that nobody told. */
export interface SecretPattern {
  /** What it is. */
  readonly about: string;
  /** What stands before the key, and stays. */
  readonly before: string;
  /** The key itself. */
  readonly key: string;
  /** Whether letters may be large or small. */
  readonly anyCase?: true;
  /** Whether it can be nothing but a key, wherever it stands. */
  readonly isPlain?: true;
}

/** A text with a digit or a star in it, or a long one: no ordinary word. */
const unlikeAWord = String.raw`(?=[^\s"'\\]{0,60}[\d*]|[^\s"'\\]{20})`;
const quote = String.raw`(?:\\{0,4}["'])?`;
const colon = String.raw`${quote}\s{0,4}[:=]\s{0,4}${quote}`;
const value = String.raw`[^\s"',;&\\}]+`;
const keyHeaders =
  '(?:x-)?api-key|x-api-token|x-auth-token|x-functions-key|x-goog-api-key|x-amz-security-token|ocp-apim-subscription-key|private-token';
const keyParameters = String.raw`(?:[\w.-]{1,40}[-_.])?(?:api[-_]?key|key|sig|signature|token|secret|password|code)|x-amz-credential`;

/**
 * Keys by their form and by what stands before them. Only for texts about a call (errors, logs, headers), never for the data of a
 * run: an answer may speak of `sk-…` as it likes. Each takes time in proportion to the text.
 */
export const secretPatterns: readonly SecretPattern[] = [
  {
    about: 'private keys (PEM)',
    isPlain: true,
    before: '',
    key: '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,8192}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?',
  },
  {
    about: 'the header Authorization',
    before: String.raw`\b(?:proxy-)?authorization${colon}(?:[a-z][\w-]{2,30}\s{1,4})?`,
    key: unlikeAWord + value,
    anyCase: true,
  },
  {
    about: 'headers that carry a key',
    before: String.raw`(?<![\w-])(?:${keyHeaders})${colon}`,
    key: unlikeAWord + value,
    anyCase: true,
  },
  {
    about: 'cookies',
    before: String.raw`(?<![\w-])(?:set-)?cookie${colon}`,
    key: String.raw`[^\r\n"'\\]+=[^\r\n"'\\]+`,
    anyCase: true,
  },
  {
    about: 'bearer tokens',
    isPlain: true,
    before: String.raw`\bBearer\s{1,4}`,
    key: String.raw`${unlikeAWord}[\w.~+/*-]{8,}=*`,
  },
  {
    about: 'credentials of Basic',
    before: String.raw`\bBasic\s{1,4}`,
    key: '(?=[a-z]{0,60}[A-Z0-9+/])[A-Za-z0-9+/]{12,}={0,2}',
  },
  {
    about: 'keys of OpenAI and Anthropic',
    isPlain: true,
    before: '',
    key: String.raw`(?<![\w-])sk-${unlikeAWord}[\w*-]{8,}`,
  },
  {
    about: 'keys that a service has starred',
    before: String.raw`\bkey provided: `,
    key: String.raw`[^\s"',*]*\*{3,}[^\s"',*]*`,
  },
  {
    about: 'JSON web tokens',
    isPlain: true,
    before: '',
    key: String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?`,
  },
  { about: 'access keys of AWS', isPlain: true, before: '', key: String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b` },
  {
    about: 'tokens of GitHub, GitLab, Slack, Google and Hugging Face',
    isPlain: true,
    before: '',
    key: String.raw`(?<![\w-])(?:gh[opsur]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{35}|hf_\w{30,})`,
  },
  {
    about: 'parameters of an address that carry a key',
    isPlain: true,
    before: `[?&](?:${keyParameters})=`,
    key: String.raw`[^&\s"'<>]{8,}`,
    anyCase: true,
  },
  {
    about: 'keys of a connection string',
    before: String.raw`\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|Password|Pwd|client_secret)=`,
    key: String.raw`[^;&\s"']{6,}`,
    anyCase: true,
  },
  {
    about: 'the password of an address',
    before: String.raw`\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"']{0,256}:`,
    key: String.raw`[^\s/@"']{1,512}(?=@)`,
    anyCase: true,
  },
];

interface CompiledPattern {
  readonly form: RegExp;
  readonly isPlain: boolean;
}

const compiled: readonly CompiledPattern[] = secretPatterns.map(({ before, key, anyCase, isPlain = false }) => ({
  form: new RegExp(`(?<before>${before})${key}`, anyCase === true ? 'gi' : 'g'),
  isPlain,
}));
const plain = compiled.filter(({ isPlain }) => isPlain);

/** The text without anything that has the form of a key. */
export function withoutKeys(text: string): string {
  return replaced(text, compiled);
}

/** The text without what can be nothing but a key. */
export function withoutPlainKeys(text: string): string {
  return replaced(text, plain);
}

function replaced(text: string, patterns: readonly CompiledPattern[]): string {
  return patterns.reduce((told, { form }) => told.replaceAll(form, `$<before>${secretMark}`), text);
}
