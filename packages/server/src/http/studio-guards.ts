import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { errorBody } from '../studio-routes/answered.ts';
import { hostOf } from './guards.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Cookies do not keep ports apart: two studios of one machine have one each. */
function cookieName(host: string): string {
  return `unroll_studio_${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}

/**
 * Asks for the token: as a bearer, as the cookie, or once in the address, which then is answered by a cookie and the address
 * without it, so that no copied address, history or `Referer` holds it.
 */
export function requireToken(token: string): MiddlewareHandler {
  const wanted = digest(token);
  const isRight = (given: string | undefined): boolean => given !== undefined && timingSafeEqual(digest(given), wanted);
  return async (context, next) => {
    const { req } = context;
    const cookie = cookieName(req.header('host') ?? '');
    const inAddress = req.method === 'GET' ? req.query('token') : undefined;
    const isKnown = isRight(bearerOf(req)) || isRight(getCookie(context, cookie));
    if (isKnown && inAddress === undefined) return await next();
    if (!isKnown && !isRight(inAddress)) return tokenNeeded(context);
    if (!isKnown) setCookie(context, cookie, token, { httpOnly: true, sameSite: 'Strict', path: '/' });
    return withoutToken(context);
  };
}

function bearerOf(req: HonoRequest): string | undefined {
  return /^Bearer +(.+)$/i.exec(req.header('authorization') ?? '')?.[1];
}

/** The same address on this server; never another one, whatever the request says of itself. */
function withoutToken(context: Context): Response {
  const { pathname, searchParams } = new URL(context.req.url);
  searchParams.delete('token');
  const query = searchParams.size === 0 ? '' : `?${searchParams}`;
  return context.redirect(`${pathname.replace(/^\/+/, '/')}${query}`, 303);
}

function tokenNeeded(context: Context): Response {
  const message = 'The token is missing: open the address that flow view printed.';
  return context.json(errorBody(message, 'TokenNeeded'), 401);
}

/** What changes something must come from the page itself: no other page can send it, with the cookie or not. */
export function guardWrites(isReadOnly: boolean): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    if (req.method === 'GET' || req.method === 'HEAD') return await next();
    if (isReadOnly) return context.json(errorBody('The studio was opened with --read-only.', 'ReadOnly'), 403);
    if (!isOwn(req)) {
      return context.json(errorBody('Only the page of the studio may change something.', 'OriginNotServed'), 403);
    }
    const isJson = req.header('content-type')?.startsWith('application/json') === true;
    if (!isJson && req.method !== 'DELETE') return context.json(errorBody('The body must be JSON.', 'NotJson'), 415);
    return await next();
  };
}

/**
 * Browsers tell by `Sec-Fetch-Site`, which no page can set, whether it is the same site, also where they name no origin; others name
 * it, and a program brings the token itself.
 */
function isOwn(req: HonoRequest): boolean {
  const site = req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = req.header('origin');
  return origin === undefined ? req.header('authorization') !== undefined : hostOf(origin) === req.header('host');
}
