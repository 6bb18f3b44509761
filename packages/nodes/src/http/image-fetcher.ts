import { type LookupAddress, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { cutText, type FetchedImage, type ImageFetcher, Redactor } from '@unroll/engine';
import type { Dispatcher } from 'undici';
import { maySucceedLater } from './ask-service.ts';
import { causeOf } from './cause-of.ts';
import { loadUndici } from './load-undici.ts';
import { isPublicAddress } from './public-address.ts';
import { hostOf } from './quoted.ts';
import { serviceDetails } from './service-details.ts';

export interface ImageFetcherOptions {
  /** Which addresses may be asked; those of the public internet where absent. */
  readonly mayAsk?: (address: string) => boolean;
  /** Takes the secrets it knows out of what a service refuses with. */
  readonly redactor?: Redactor;
}

const maxRedirects = 5;
const maxBytes = 20 * 1024 * 1024;
/** Bytes of a refusal that are read. */
const maxReported = 16_384;
const timeLimitMs = 30_000;

/**
 * Gets images over http and https. A name is looked up once and its address is checked where the connection is made, at
 * every redirect, so that no address of this machine or its network is asked, whatever the name says a moment later.
 */
export function imageFetcher({
  mayAsk = isPublicAddress,
  redactor = new Redactor(),
}: ImageFetcherOptions = {}): ImageFetcher {
  return {
    async fetch(url) {
      try {
        return await follow(new URL(url), url, { mayAsk, redactor });
      } catch (thrown) {
        const { code, message, retryable } = causeOf(thrown);
        const isReported = thrown instanceof RefusedAddress || (code !== undefined && URL.canParse(url));
        return {
          ok: false,
          message: `Failed to fetch image from URL: ${url}.${isReported ? ` (${message})` : ''}`,
          retryable: retryable || (thrown as Error).name === 'TimeoutError',
          service: serviceDetails({ host: hostOf(url), errno: code }),
        };
      }
    },
  };
}

type Guard = Required<ImageFetcherOptions>;

async function follow(start: URL, shown: string, guard: Guard): Promise<FetchedImage> {
  const { Agent } = await loadUndici();
  const agent = new Agent({ connect: { lookup: guardedLookup(guard.mayAsk), timeout: timeLimitMs } });
  const signal = AbortSignal.timeout(timeLimitMs);
  try {
    return await followFrom(start, shown, guard, ({ origin, pathname, search }) =>
      agent.request({ origin, path: `${pathname}${search}`, method: 'GET', signal }),
    );
  } finally {
    await agent.destroy();
  }
}

async function followFrom(
  start: URL,
  shown: string,
  { mayAsk, redactor }: Guard,
  ask: (url: URL) => Promise<Dispatcher.ResponseData>,
): Promise<FetchedImage> {
  let url = start;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    refuseClosed(url, mayAsk);
    const { statusCode, headers, body } = await ask(url);
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump();
      url = new URL(location, url);
      continue;
    }
    if (statusCode === 200) return { ok: true, bytes: await readLimited(body) };
    const text = await beginOf(body, redactor);
    const message = `Failed to fetch image from URL: ${shown}. Error code: ${statusCode}. Error message: ${text}.`;
    const service = serviceDetails({ host: hostOf(String(url)), status: statusCode });
    return { ok: false, message, retryable: maySucceedLater(statusCode), service };
  }
  throw new RefusedAddress(`more than ${maxRedirects} redirects`);
}

/** Its message says why, and nothing of what a name led to: who sent the address may not know. */
class RefusedAddress extends Error {}

const notPublic = 'it leads to no address of the public internet';

/** An address that is written as numbers is never looked up. */
function refuseClosed({ protocol, hostname }: URL, mayAsk: (address: string) => boolean): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RefusedAddress('only http and https addresses are fetched');
  if (isIP(host) !== 0 && !mayAsk(host)) throw new RefusedAddress(notPublic);
}

type Looked = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

function guardedLookup(mayAsk: (address: string) => boolean) {
  return (host: string, options: object, done: Looked): void => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = (found ?? []).filter(({ address }) => mayAsk(address));
      const [first] = addresses;
      if (error !== null || first === undefined) done(error ?? new RefusedAddress(notPublic), '');
      else if ((options as { readonly all?: boolean }).all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** What a refusal begins with, in one line: it may be of any size, and without end. */
async function beginOf(body: AsyncIterable<Uint8Array>, redactor: Redactor): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    if (size > maxReported) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(parts), { stream: true });
  // Redacted before it is cut for good: half a key would not be known as one.
  const line = redactor.message(cutText(text, maxReported)).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return line.slice(0, 1000).trim();
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > maxBytes) throw new RefusedAddress('an image of more than 20 MB');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
