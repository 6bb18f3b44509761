/** Texts that stand for a secret wherever they occur, or only where they are a word of their own. */
export interface SecretForms {
  readonly anywhere: readonly string[];
  readonly asWord: readonly string[];
}

/** From here on a text is long enough to occur nowhere by chance. */
const shortestAnywhere = 8;
/** Anything shorter is no secret: it would be found in all kinds of texts. */
const shortest = 4;
/** Where short texts are secrets too. */
const shortestOfAny = 2;
/** A word of letters alone (`password`) may be one of the language until it is this long. */
const shortestOfLetters = 20;

/** What people write where a service wants a key and none is needed. */
const placeholders: ReadonlySet<string> = new Set([
  'changeme',
  'dummy',
  'empty',
  'fake',
  'lm-studio',
  'no-key',
  'none',
  'not-needed',
  'null',
  'ollama',
  'placeholder',
  'sk-no-key-required',
  'test',
  'undefined',
  'unused',
]);

/**
 * The texts under which a secret may be met: as it is, and as JSON, Python, URLs, HTML and base64 write it.
 *
 * A secret of 8 characters or more is one wherever it stands; one of 4 to 7, and one of letters alone that is shorter than 20,
 * only where no letter, digit or `_` stands beside it. Letters or digits alone that are shorter than 8, anything shorter than 4, and
 * placeholders (`EMPTY`, `dummy`) are no secrets: none of their texts is given.
 *
 * @param which `short too`: from 2 characters on everything but placeholders is one, a short text where it is a word of its own
 */
export function secretForms(secret: string, which: 'long' | 'short too' = 'long'): SecretForms {
  const text = secret.trim();
  const isAny = which === 'short too';
  if (text.length < (isAny ? shortestOfAny : shortest) || isPlaceholder(text)) return { anywhere: [], asWord: [] };
  const isShort = text.length < shortestAnywhere;
  if (isShort && !isAny && /^(?:\p{L}+|\p{N}+)$/u.test(text)) return { anywhere: [], asWord: [] };
  if (isShort || (text.length < shortestOfLetters && /^[A-Za-z]+$/.test(text))) {
    return { anywhere: base64Cores(text).filter(isLong), asWord: writtenForms(text) };
  }
  return { anywhere: [...writtenForms(text), ...base64Cores(text)].filter(isLong), asWord: [] };
}

/** Whether a text only holds the place of a secret: `EMPTY`, `<your key>`, `****`, `${env:KEY}`. */
function isPlaceholder(text: string): boolean {
  return placeholders.has(text.toLowerCase()) || /^(?:\*+|x+|X+|<[^<>]*>|\$?\{[^{}]*\})$/.test(text);
}

function isLong(form: string): boolean {
  return form.length >= shortestAnywhere;
}

type Encoder = (text: string) => string;

const inJson: Encoder = (text) => JSON.stringify(text).slice(1, -1);
const inAsciiJson: Encoder = (text) => inJson(text).replaceAll(/[^ -~]/g, (unit) => `\\u${hexOf(unit, 4)}`);
/** `System.Text.Json` of .NET, which most services on Azure answer with. */
const inDotnetJson: Encoder = (text) =>
  inJson(text)
    .replaceAll('\\"', '\\u0022')
    .replaceAll(/[&'+<>`]|[^ -~]/g, (unit) => `\\u${hexOf(unit, 4).toUpperCase()}`);
/** Python's `repr` between apostrophes. */
const inPython: Encoder = (text) => inJson(text).replaceAll('\\"', '"').replaceAll("'", "\\'");
const inUrl: Encoder = encodeUrl;
/** Python's `urllib.parse.quote`. */
const inPath: Encoder = (text) => strict(encodeUrl(text)).replaceAll('%2F', '/');
const inHtml: Encoder = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const encoders: readonly Encoder[] = [
  (text) => text,
  inJson,
  (text) => inJson(inJson(text)),
  inAsciiJson,
  inDotnetJson,
  (text) => inJson(text).replaceAll('/', '\\/'),
  inPython,
  inUrl,
  (text) => lowerHex(inUrl(text)),
  (text) => strict(inUrl(text)),
  (text) => strict(inUrl(text)).replaceAll('%20', '+'),
  (text) => lowerHex(strict(inUrl(text)).replaceAll('%20', '+')),
  inPath,
  inHtml,
  (text) => inHtml(text).replaceAll("'", '&#39;'),
  (text) => inHtml(text).replaceAll("'", '&#x27;'),
];

function writtenForms(text: string): readonly string[] {
  return [...new Set(encoders.map((encode) => encode(text)))];
}

/** `encodeURIComponent`, which refuses half a surrogate pair. */
function encodeUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function strict(encoded: string): string {
  return encoded.replaceAll(/[!'()*]/g, (sign) => `%${hexOf(sign, 2).toUpperCase()}`);
}

function lowerHex(encoded: string): string {
  return encoded.replaceAll(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
}

function hexOf(unit: string, digits: number): string {
  return unit.charCodeAt(0).toString(16).padStart(digits, '0');
}

/**
 * The part of a secret's base64 that is the same whatever stands before and after it, for each of the three places it may begin at:
 * so `Basic` credentials are found whoever the user is.
 */
function base64Cores(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  const cores = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return encoded.slice(start, end);
  });
  return [...new Set(cores.flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]))];
}
