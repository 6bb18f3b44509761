import { type Connection, type Redactor, redactorOf } from '@unroll/engine';
import { missingProvider } from '../extras/installed-package.ts';
import { maxBytesOf } from '../http/answer-limit.ts';
import { askForBytes } from '../http/ask-for-bytes.ts';
import { type NoAnswer, readJson } from '../http/ask-service.ts';
import { azureTokenProvider } from '../openai/azure-token.ts';
import { connectionExtras, missingExtras } from './connection-extras.ts';
import { type Probe, probeOf } from './connection-probe.ts';
import { missingAddress, missingKey } from './missing-fields.ts';

/** What a test of a connection found, as a sentence; `works` is undefined where nothing could be asked. */
export interface ConnectionTest {
  readonly works: boolean | undefined;
  readonly message: string;
  /** What to do about it. */
  readonly help?: string;
}

const patienceMs = 15_000;

/** Asks the service behind a connection for something that costs nothing. Neither key nor token is in what it says. */
export async function testConnection(connection: Connection, signal: AbortSignal): Promise<ConnectionTest> {
  if (probeOf(connection) === undefined) return { ...nothingToAsk(connection), ...missingHelp(connection) };
  const missing = missingAddress(connection) ?? missingKey(connection);
  if (missing !== undefined) return { works: false, ...missing };
  try {
    const token = connection.configs['auth_mode'] === 'meid_token' ? await entraToken(connection) : undefined;
    const probe = probeOf(connection, token);
    if (probe === undefined) throw new Error(`bug: the probe of ${connection.type} went away`);
    return { ...missingHelp(connection), ...(await ask(probe, connection, signal)) };
  } catch (error) {
    return { works: false, message: redactorOf(connection).message((error as Error).message) };
  }
}

/** The service may be asked all the same, by Python nodes for instance. */
function missingHelp(connection: Connection): { readonly help?: string } {
  const missing = missingProvider(connection, [process.cwd()]) ?? missingExtras(connectionExtras(connection), []).at(0);
  return missing === undefined ? {} : { help: `In a flow ${missing.message}: ${missing.install}` };
}

function nothingToAsk({ type, secrets }: Connection): ConnectionTest {
  const count = Object.keys(secrets).length;
  const read = count === 0 ? '' : `; its ${count === 1 ? 'secret' : `${count} secrets`} can be read`;
  return { works: undefined, message: `a connection of type ${type} has no service that could be asked${read}` };
}

async function entraToken({ type }: Connection): Promise<string> {
  const scope = type === 'cognitive_search' ? 'https://search.azure.com/.default' : undefined;
  return (await azureTokenProvider(scope))();
}

async function ask(probe: Probe, connection: Connection, signal: AbortSignal): Promise<ConnectionTest> {
  const { url, headers, body } = probe;
  const startedAt = performance.now();
  const answer = await askForBytes({
    url,
    headers,
    ...(body === undefined ? { method: 'GET' } : { method: 'POST', body }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    maxBytes: maxBytesOf(connection),
  });
  const redactor = redactorOf(connection);
  if (!answer.ok) return notReached(answer, redactor);
  const { status, location } = answer;
  const { host } = new URL(url);
  const text = Buffer.from(answer.bytes).toString();
  const said = saidIn(redactor.message(text));
  const quoted = said === '' ? '' : `: ${said}`;
  if (status >= 300 && status < 400) return redirected(status, host, redactor.message(location ?? 'nowhere'));
  if (status >= 300) return failedTest(status, host, quoted, probe);
  const reply = readJson(text);
  const count = Array.isArray(reply) ? reply.length : probe.count?.(reply);
  const isMeant = probe.count === undefined ? typeof reply === 'object' && reply !== null : count !== undefined;
  if (!isMeant) {
    return {
      works: undefined,
      message: `${host} is reached, and answered something else than ${probe.asks}${quoted}`,
      help,
    };
  }
  const took = `${Math.round(performance.now() - startedAt)} ms`;
  return { works: true, message: `${host} gave ${probe.asks}${count === undefined ? '' : `: ${count}`} (${took})` };
}

const help =
  'Look at the address (api_base, endpoint) and api_version; some servers have no such list and work all the same.';

/** No service is called where another address is meant: its key would go there. */
function redirected(status: number, host: string, location: string): ConnectionTest {
  const message = `${host} redirects to ${location} (${status}), which is not followed`;
  return { works: false, message, help: 'Look at the address (api_base, endpoint): a proxy may ask for a sign-in.' };
}

function failedTest(status: number, host: string, quoted: string, { asks }: Probe): ConnectionTest {
  if (status === 401 || status === 403) {
    return {
      works: false,
      message: `${host} is reached and refuses the key (${status})${quoted}`,
      help: 'Enter the key again with flow connection update NAME --set api_key=…',
    };
  }
  if ([404, 405, 501].includes(status)) {
    return {
      works: undefined,
      message: `${host} is reached, but does not know the path of ${asks} (${status})${quoted}`,
      help,
    };
  }
  return { works: false, message: `${host} answered ${status}${quoted}` };
}

const maxSaid = 300;

/** The sentence in an error body of any of these services, or the title of a page; the start of the body where there is neither. */
function saidIn(text: string): string {
  const body = readJson(text) as { error?: { message?: unknown }; message?: unknown } | undefined;
  const [, title] = /<title[^>]*>([^<]*)/i.exec(text) ?? [];
  const found = [body?.error, body?.error?.message, body?.message, title].find((one) => typeof one === 'string');
  const line = (found ?? text).replaceAll(/\s+/g, ' ').trim();
  return line.length > maxSaid ? `${line.slice(0, maxSaid)}…` : line;
}

function notReached({ code, message }: NoAnswer, redactor: Redactor): ConnectionTest {
  const hint = hints[code];
  const said = code === 'TimeoutError' ? `no answer within ${patienceMs / 1000} s` : redactor.message(message);
  return { works: false, message: said, ...(hint === undefined ? {} : { help: hint }) };
}

const notFound = 'The host is not found: look at the address, and whether this machine is online.';

const hints: Readonly<Record<string, string>> = {
  ENOTFOUND: notFound,
  EAI_AGAIN: notFound,
  ECONNREFUSED: 'Nothing listens there: look at the address and its port.',
  ERR_INVALID_URL: 'The address (api_base, endpoint) is no URL: it starts with https://',
};
