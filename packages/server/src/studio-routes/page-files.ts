import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Hono } from 'hono';

const kinds: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The built page: its files, and index.html for every other address, which the page itself reads.
 *
 * @param folder absolute; what is in it is served, and nothing else
 */
export function pageFiles(folder: string): Hono {
  const app = new Hono();
  app.get('*', ({ req }) => {
    // Looked up among the files there are: no address leads out of the folder.
    const files = filesIn(folder);
    const name = req.path.slice(1);
    if (files.has(name)) return fileAnswer(join(folder, name), name.startsWith('assets/'));
    if (name.startsWith('assets/') || !files.has('index.html')) return missing(files.size === 0);
    return fileAnswer(join(folder, 'index.html'), false);
  });
  return app;
}

function filesIn(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set();
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(
    found.map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    ),
  );
}

/** @param isNamedByContent names of what vite builds change with what is in them */
function fileAnswer(path: string, isNamedByContent: boolean): Response {
  const type = kinds[extname(path)] ?? 'application/octet-stream';
  const headers = {
    'content-type': type,
    'content-security-policy': policy,
    'cache-control': isNamedByContent ? 'private, max-age=31536000, immutable' : 'no-store',
  };
  return new Response(readFileSync(path), { headers });
}

function missing(isUnbuilt: boolean): Response {
  const text = isUnbuilt
    ? 'The page of the studio is not built: pnpm --filter @unroll/studio build makes it.'
    : 'There is no such file.';
  return new Response(`${text}\n`, { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
