import { inTrace, readTraceContext } from '@unroll/engine';
import { notify } from '@unroll/project';
import { Hono } from 'hono';
import { errorAnswer, jsonAnswer } from '../answers/json-answer.ts';
import { NoText } from '../answers/request-text.ts';
import type { Serving } from '../answers/serving.ts';
import { isUnreachable, unreachableAnswer } from '../answers/unreachable.ts';
import { chatRoutes } from '../chat-routes/routes.ts';
import { flowRoutes } from '../flow-routes/routes.ts';
import { mcpRoutes } from '../mcp-route/routes.ts';
import { promptFlowRoutes, unknownRoute } from '../promptflow-routes/routes.ts';
import { allowOrigins, optionsAnswer, requireHost, requireKey, requireOrigin } from './guards.ts';
import { limitBody } from './limit-body.ts';
import { pageRoutes } from './page.ts';
import { isLoopback, type ReadServerSettings } from './server-settings.ts';

/** All routes, behind what guards them. */
export function createApp(serving: Serving, settings: ReadServerSettings): Hono {
  const app = new Hono();
  app.onError((error, { req }) => {
    if (req.raw.signal.aborted) return errorAnswer(400, 'RequestGone', 'The request did not come whole.');
    if (error instanceof NoText) return errorAnswer(400, 'InvalidBody', error.message);
    if (isUnreachable(error)) return unreachableAnswer(error, serving.host);
    notify(serving.host, { kind: 'warning', message: `a request failed within the server: ${error.message}` });
    return errorAnswer(500, 'ServerError', 'The server itself failed.');
  });
  app.use(async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set('x-content-type-options', 'nosniff');
    // nginx would keep the pieces of a stream back until it has all of them.
    if (headers.get('content-type')?.startsWith('text/event-stream') === true) headers.set('x-accel-buffering', 'no');
    // A library's word on it would go before what the client asked for.
    headers.delete('connection');
    if (serving.isDraining()) headers.set('connection', 'close');
  });
  if (settings.origins.length > 0) app.use(allowOrigins(settings.origins));
  const hosts = servedHosts(settings);
  if (hosts !== undefined) app.use(requireHost(hosts));
  // A page of another origin does not have the key.
  app.use(settings.key === undefined ? requireOrigin(settings.origins) : requireKey(settings.key));
  app.use(limitBody(settings.maxBodyBytes));
  app.use(({ req }, next) => {
    const context = readTraceContext(req.header('traceparent'), req.header('tracestate'));
    return context === undefined ? next() : inTrace(context, next);
  });
  app.options('*', () => optionsAnswer());
  app.get('/livez', () => jsonAnswer(200, { status: 'live' }));
  app.get('/readyz', () =>
    serving.isDraining() ? jsonAnswer(503, { status: 'draining' }) : jsonAnswer(200, { status: 'ready' }),
  );
  app.route('/', pageRoutes());
  app.route('/', flowRoutes(serving));
  app.route('/', chatRoutes(serving));
  app.route('/', mcpRoutes(serving));
  const [only, ...others] = serving.flows;
  const isOne = only !== undefined && others.length === 0;
  if (isOne) app.route('/', promptFlowRoutes(only, serving));
  app.notFound(({ req }) => {
    if (isOne) return unknownRoute(req.method, req.url);
    if (serving.edited?.mistakes.some(({ isServed }) => !isServed) === true)
      return errorAnswer(503, 'FlowNotReady', 'A flow has mistakes, and no version of it to serve; GET / shows them.');
    return errorAnswer(404, 'NoSuchRoute', `There is no ${req.method} ${req.path}.`);
  });
  return app;
}

/** Undefined where any is: elsewhere than on loopback only those that are named are known. */
function servedHosts({ host, hosts }: ReadServerSettings): ReadonlySet<string> | undefined {
  if (!isLoopback(host) && hosts.length === 0) return undefined;
  const own = isLoopback(host) ? ['localhost', '127.0.0.1', '::1'] : [];
  return new Set([...own, host, ...hosts].map((name) => name.toLowerCase()));
}
