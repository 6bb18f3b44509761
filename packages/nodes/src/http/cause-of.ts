/** Why a call got no answer, as the innermost error tells it. */
export interface Cause {
  /** Of the system, of TLS or of the client: `ECONNREFUSED`, `CERT_HAS_EXPIRED`, `UND_ERR_SOCKET`. */
  readonly code?: string;
  readonly message: string;
  /** Whether the next try may get an answer. */
  readonly retryable: boolean;
}

interface ErrorDetails {
  readonly code: string | undefined;
  readonly message: string;
}

/** undici asserts some rules of HTTP, in words that speak of its own code. */
const noHttp: ErrorDetails = { code: 'HPE_INVALID', message: 'Response does not match the HTTP/1.1 protocol' };

/** How far a chain of causes is followed. */
const maxErrors = 20;

/**
 * Reads what a client threw: the causes within it and the lists of `AggregateError`s. The innermost that has a code is meant,
 * since those around it say little (`fetch failed`); of several at the same depth the last, which is the address tried last.
 */
export function causeOf(thrown: unknown): Cause {
  const all = errorsWithin(thrown);
  const { code, message } = all.findLast((one) => one.code !== undefined) ??
    all.findLast((one) => one.message !== '') ?? { code: undefined, message: '' };
  return {
    ...(code === undefined ? {} : { code }),
    message: message === '' ? (code ?? 'no answer') : message,
    retryable: isUnreached(code) || (code !== undefined && (broken.has(code) || code.startsWith('HPE_'))),
  };
}

function errorsWithin(thrown: unknown): readonly ErrorDetails[] {
  const found: ErrorDetails[] = [];
  const left: unknown[] = [thrown];
  while (left.length > 0 && found.length < maxErrors) {
    const error = left.shift();
    if (error === undefined || error === null) continue;
    const { name, code, message, cause, errors } = (
      typeof error === 'object' ? error : { message: String(error) }
    ) as PossibleError;
    found.push(detailsOf(code, name, message));
    left.push(...(Array.isArray(errors) ? errors.slice(0, maxErrors) : []), cause);
  }
  return found;
}

function detailsOf(code: unknown, name: unknown, message: unknown): ErrorDetails {
  if (code === 'ERR_ASSERTION') return noHttp;
  return { code: codeOf(code, name), message: typeof message === 'string' ? message : '' };
}

interface PossibleError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** Codes of services, such as `insufficient_quota`, say nothing about the connection. */
function codeOf(code: unknown, name: unknown): string | undefined {
  // undici does not always know which rule of HTTP was broken.
  if (name === 'HTTPParserError' && code === undefined) return 'HPE_INVALID';
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : undefined;
}

/** Whether nobody was there to hear a call: a server that is down or starts, a name that is not found for the moment. */
export function isUnreached(code: string | undefined): boolean {
  return code !== undefined && unreached.has(code);
}

const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The connection was lost, or what came over it was damaged on its way. */
const broken: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
  'Z_DATA_ERROR',
  'Z_BUF_ERROR',
]);
