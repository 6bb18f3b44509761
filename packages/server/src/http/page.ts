import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { errorAnswer } from '../answers/json-answer.ts';

const kinds = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The page on which a flow is tried; it asks the same routes as any client. */
export function pageRoutes(): Hono {
  const app = new Hono();
  const wrongMethod = (): Response =>
    errorAnswer(405, 'MethodNotAllowed', 'The page is asked for with GET.', { allow: 'GET, HEAD' });
  app.get('/', () => pageFile('index.html'));
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '/', wrongMethod);
  app.get('/static/index.js', () => pageFile('index.js'));
  app.get('/static/index.css', () => pageFile('index.css'));
  app.get('/static/*', () => errorAnswer(404, 'NoSuchFile', 'The page has no such file.'));
  return app;
}

function pageFile(name: 'index.html' | 'index.js' | 'index.css'): Response {
  const text = readFileSync(fileURLToPath(new URL(`page/${name}`, import.meta.url)), 'utf8');
  const type = kinds[name.slice(name.lastIndexOf('.')) as keyof typeof kinds];
  return new Response(text, { headers: { 'content-type': type, 'content-security-policy': policy } });
}
