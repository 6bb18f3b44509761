import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { selfSigned, startAzureSearchServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';

/**
 * The same tests that a user runs against the real service, with an Entra identity and over https: a managed identity of App
 * Service, whose endpoint is here, as the real DefaultAzureCredential asks it (learn.microsoft.com, "How to use managed
 * identities for App Service", REST endpoint reference).
 */
const folder = mkdtempSync(join(tmpdir(), 'entra-'));
const certificate = selfSigned();
writeFileSync(join(folder, 'ca.pem'), certificate.cert);
const token = 'entra-token-of-the-test';
const search = await startAzureSearchServer({ token, secure: certificate });
const asked: string[] = [];
const identity = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  asked.push(`${request.method} ${pathname} ${searchParams.get('resource')} ${searchParams.get('api-version')}`);
  const isRight = request.headers['x-identity-header'] === 'the-header';
  response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
  const ends = Math.floor(Date.now() / 1000) + 86_400;
  response.end(
    JSON.stringify(
      isRight
        ? { access_token: token, expires_on: String(ends), resource: 'https://search.azure.com', token_type: 'Bearer' }
        : { statusCode: 401, message: 'wrong header' },
    ),
  );
});
await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));

afterAll(async () => {
  await search[Symbol.asyncDispose]();
  identity.close();
  identity.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const root = new URL('..', import.meta.url).pathname;
const run = promisify(execFile);
const { AZURE_SEARCH_KEY: _, ...environment } = process.env;

test('the contract of search indexes holds with an Entra identity, over https, and when throttled', async () => {
  search.fail(
    { status: 503, headers: { 'retry-after': '1' }, path: 'search.index' },
    { status: 429, headers: { 'retry-after-ms': '20' }, path: 'search.post' },
  );
  const report = join(folder, 'report.json');
  await run(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'vitest.azure.config.ts',
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    {
      cwd: root,
      env: {
        ...environment,
        AZURE_SEARCH_ENDPOINT: search.url,
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
        IDENTITY_ENDPOINT: `http://127.0.0.1:${(identity.address() as AddressInfo).port}/msi/token`,
        IDENTITY_HEADER: 'the-header',
      },
    },
  );
  const result = JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number; numFailedTests: number };
  expect(result).toMatchObject({ numFailedTests: 0 });
  expect(result.numPassedTests).toBeGreaterThan(10);
  expect(search.seen.length).toBeGreaterThan(20);
  expect(new Set(asked)).toEqual(new Set(['GET /msi/token https://search.azure.com 2019-08-01']));
  expect(asked.length).toBeLessThan(10);
}, 240_000);
