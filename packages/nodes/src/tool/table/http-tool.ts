import { type Connection, type PrepareContext, PrepareError } from '@unroll/engine';
import { requireConnection } from '../../connections/find-connection.ts';
import { askForBytes } from '../../http/ask-for-bytes.ts';
import { hostOf, quoted } from '../../http/quoted.ts';
import { serviceDetails } from '../../http/service-details.ts';
import type { KeyPlace } from '../../openapi/key-place.ts';
import type { RunFunction } from './code-tool.ts';
import { toolFailure } from './limited-tool.ts';
import { requestOf } from './operation-request.ts';
import type { ToolDefinition, ToolExecutor, ToolOperation } from './tool-definition.ts';
import type { ToolLog } from './tool-log.ts';

/**
 * One operation of an OpenAPI document, asked over HTTP. Auth comes from the connection: a custom one with the secret
 * `api_key` (sent in the header that the config `api_key_header` names, else where the document wants it, else as
 * `Authorization: Bearer …`) or the secrets `user` and `password`, and the config `base_url`.
 *
 * @throws PrepareError when the connection does not exist, nobody says where the service is, or the document alone says that one
 *   operation's key goes to another origin
 */
export function openHttpOperation(
  tool: ToolDefinition,
  executor: Extract<ToolExecutor, { kind: 'http' }>,
  context: PrepareContext,
  log: ToolLog,
): RunFunction {
  const { operation } = tool;
  if (operation === undefined) throw new Error(`bug: tool ${tool.name} has no operation`);
  const { connection: name } = executor;
  const connection = name === undefined ? undefined : requireConnection(name, tool.name, context.connections);
  const written = executor.baseUrl ?? connection?.configs['base_url'];
  const base = written ?? operation.server;
  if (base === undefined || !/^https?:\/\//.test(base)) {
    const message = `nobody says where the service of tool "${tool.name}" is: write base_url`;
    throw new PrepareError({ code: 'ToolLoadError', message, retryable: false });
  }
  const auth = authOf(connection, operation);
  if (written === undefined && operation.isElsewhere && auth !== undefined) {
    const message = `tool "${tool.name}" is asked at ${hostOf(base)}, not where its OpenAPI document has its service: the key of connection "${name}" is not sent there unless base_url says so`;
    throw new PrepareError({ code: 'ToolLoadError', message, retryable: false });
  }
  return async (given, { signal }) => {
    const built = await requestOf(operation, base, given);
    if (!built.ok) return toolFailure('UNFIT_ARGUMENTS', built.message, true);
    const { headers, body, unfilled } = built;
    const unsent = Object.keys(given).filter((one) => !Object.hasOwn(operation.places, one));
    if (unsent.length > 0) log('stderr', unsentMessage(tool.name, unsent));
    const url = withQuery(built.url, auth?.query);
    if (unfilled.length > 0) {
      const message = `nobody says what ${unfilled.join(', ')} of ${operation.path} is: the OpenAPI document has no such parameter`;
      return toolFailure('UNFILLED_PATH', message);
    }
    const answer = await askForBytes({
      method: operation.verb,
      url,
      headers: { accept: 'application/json, text/*;q=0.9', ...headers, ...auth?.headers },
      ...(body === undefined ? {} : { body }),
      signal,
      maxBytes: tool.maxBytes,
    });
    if (answer.ok) return readAnswer(answer, { host: hostOf(url), redact: (text) => context.redactor.message(text) });
    const { code, message, retryable, service } = answer;
    return toolFailure(code, message, false, { retryable, service });
  };
}

/** A model may make up names of arguments, of any number and length. */
function unsentMessage(tool: string, names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 100)));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${tool} has no parameter ${shown.join(', ')}${more}: what was given for it was not sent\n`;
}

/** What shows who asks. */
interface Auth {
  readonly headers?: Readonly<Record<string, string>>;
  /** `name=key`, encoded. */
  readonly query?: string;
}

function authOf(connection: Connection | undefined, { keyPlace }: ToolOperation): Auth | undefined {
  const { configs = {}, secrets = {} } = connection ?? {};
  const { api_key: key, user, password } = secrets;
  const { api_key_header: header } = configs;
  if (key !== undefined) return keyAt(header === undefined ? keyPlace : { in: 'header', name: header }, key);
  if (user === undefined || password === undefined) return undefined;
  return { headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` } };
}

function keyAt(place: KeyPlace | undefined, key: string): Auth {
  if (place === undefined) return { headers: { authorization: `Bearer ${key}` } };
  const { name } = place;
  if (place.in === 'header') return { headers: { [name.toLowerCase()]: key } };
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(key)}`;
  return place.in === 'cookie' ? { headers: { cookie: pair } } : { query: pair };
}

function withQuery(url: string, query: string | undefined): string {
  if (query === undefined) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly location?: string;
}

interface AskedOf {
  readonly host: string | undefined;
  readonly redact: (text: string) => string;
}

/** undefined where the bytes are no UTF-8. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readAnswer(
  { status, bytes, location }: Answer,
  { host, redact }: AskedOf,
): ReturnType<typeof toolFailure> | { readonly ok: true; readonly content: string } {
  if (status < 300) {
    const content = decodeText(bytes);
    if (content !== undefined) return { ok: true, content };
    const message = 'the service answered with what is no text';
    return toolFailure('BINARY_RESULT', message, false, { service: serviceDetails({ host, status }) });
  }
  const text = decodeText(bytes) ?? `${bytes.length} bytes that are no text`;
  const to = location === undefined ? undefined : quoted(location, redact);
  const service = serviceDetails({ host, status, location: to });
  if (status < 400) {
    const message = `HTTP ${status}: the service redirects${to === undefined ? '' : ` to ${to}`}, which is not followed`;
    return toolFailure('HTTP_REDIRECT', message, false, { service });
  }
  // 4xx: the service refuses what it was asked, which the model can correct (RFC 9110, 15.5).
  return toolFailure(
    'HTTP_STATUS',
    `HTTP ${status}${text === '' ? '' : `: ${redact(text).slice(0, 2000)}`}`,
    status < 500,
    {
      retryable: status === 429 || status >= 500,
      service,
    },
  );
}
