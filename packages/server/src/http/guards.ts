import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { errorAnswer } from '../answers/json-answer.ts';

/** Routes that tell nothing of flows: those who look after the process have no key. */
const openPaths: ReadonlySet<string> = new Set(['/health', '/livez', '/readyz']);

/**
 * Asks for the key as a bearer token. Both are hashed first, so that neither what of it is right nor its length can be told from the
 * time the comparison takes.
 */
export function requireKey(key: string): MiddlewareHandler {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = digest(key);
  return async ({ req }, next) => {
    if (openPaths.has(req.path) || req.method === 'OPTIONS') return await next();
    const [, given = ''] = /^Bearer +(.+)$/i.exec(req.header('authorization') ?? '') ?? [];
    if (timingSafeEqual(digest(given), wanted)) return await next();
    return errorAnswer(401, 'KeyNeeded', 'A key is needed: Authorization: Bearer KEY.', {
      'www-authenticate': 'Bearer',
    });
  };
}

/** Refuses requests to a host that is none of this server's: a page elsewhere may have made its own name lead here. */
export function requireHost(
  hosts: ReadonlySet<string>,
  message = 'This host is not served here; --allow-host NAME serves it.',
): MiddlewareHandler {
  return async ({ req }, next) => {
    const name = hostName(req.header('host') ?? '');
    if (hosts.has(name)) return await next();
    return errorAnswer(403, 'HostNotServed', message);
  };
}

/** `[::1]:8080` is `::1`. */
function hostName(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(host) ?? [];
  return (bracketed ?? plain).toLowerCase();
}

/**
 * Refuses what pages of other origins send: without a key anybody's page could have flows run here, though it may not read the
 * answer. https://fetch.spec.whatwg.org/#origin-header
 */
export function requireOrigin(origins: readonly string[]): MiddlewareHandler {
  return async ({ req }, next) => {
    const origin = req.header('origin');
    const isKnown = origin === undefined || origins.includes('*') || origins.includes(origin);
    if (isKnown || hostOf(origin) === req.header('host') || req.method === 'OPTIONS') return await next();
    const message = 'Pages of this origin may not ask; --cors ORIGIN lets them.';
    return errorAnswer(403, 'OriginNotServed', message);
  };
}

/** Name and port of an origin; undefined where it has none. */
export function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

const methods = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';

/**
 * Answers pages of the origins that may ask, as Prompt flow's server does: with `*` every origin, which is answered by its own name.
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  const allowsAll = origins.includes('*');
  return async (context, next) => {
    const origin = context.req.header('origin');
    await next();
    if (origin !== undefined || !allowsAll) context.header('vary', 'Origin', { append: true });
    const allowed = allowsAll ? (origin ?? '*') : origins.find((one) => one === origin);
    if (allowed === undefined) return;
    context.header('access-control-allow-origin', allowed);
    if (isPreflight(context)) allowAsked(context);
  };
}

function isPreflight({ req }: Context): boolean {
  return req.method === 'OPTIONS' && req.header('access-control-request-method') !== undefined;
}

function allowAsked(context: Context): void {
  context.header('access-control-allow-methods', methods);
  const asked = context.req.header('access-control-request-headers');
  if (asked !== undefined) context.header('access-control-allow-headers', asked);
}

/** What OPTIONS is answered, on any path. */
export function optionsAnswer(): Response {
  return new Response('', { headers: { allow: methods, 'content-type': 'text/html; charset=utf-8' } });
}
