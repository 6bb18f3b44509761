import { type Connection, redactorOf } from '@unroll/engine';
import { missingProvider } from '../extras/installed-package.ts';
import { CountedBytes, maxBytesOf } from '../http/answer-limit.ts';
import { readJson } from '../http/ask-service.ts';
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
    return { works: false, message: redactorOf(connection).message(causeOf(error)), ...hintOf(error) };
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
  const { body, headers, url } = probe;
  const startedAt = performance.now();
  const response = await fetch(url, {
    headers,
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  const text = await beginOf(response, maxBytesOf(connection));
  const took = `${Math.round(performance.now() - startedAt)} ms`;
  if (response.ok) {
    const count = probe.count?.(readJson(text));
    const counted = count === undefined ? '' : `: ${count}`;
    return { works: true, message: `${hostOf(url)} gave ${probe.asks}${counted} (${took})` };
  }
  const said = saidIn(redactorOf(connection).message(text));
  return failedTest(response.status, hostOf(url), said, probe);
}

/** @throws AnswerTooLarge where it goes on beyond what is taken of one */
async function beginOf(response: Response, maxBytes: number): Promise<string> {
  const counted = new CountedBytes(maxBytes);
  const parts: Uint8Array[] = [];
  for await (const part of response.body ?? []) {
    counted.add(part.byteLength);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function failedTest(status: number, host: string, said: string, { asks }: Probe): ConnectionTest {
  const quoted = said === '' ? '' : `: ${said}`;
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
      help: 'Look at the address (api_base, endpoint) and api_version; some servers have no such list and work all the same.',
    };
  }
  return { works: false, message: `${host} answered ${status}${quoted}` };
}

function hostOf(url: string): string {
  return new URL(url).host;
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

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${patienceMs / 1000} s`;
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

function hintOf(error: unknown): { readonly help?: string } {
  const code = (error as { cause?: { code?: string } }).cause?.code;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { help: 'The host is not found: look at the address, and whether this machine is online.' };
  }
  if (code === 'ECONNREFUSED') return { help: 'Nothing listens there: look at the address and its port.' };
  if (code === 'ERR_INVALID_URL' || (error as { code?: string }).code === 'ERR_INVALID_URL') {
    return { help: 'The address (api_base, endpoint) is no URL: it starts with https://' };
  }
  return {};
}
