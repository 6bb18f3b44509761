import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { extraPackages, missingExtra, requireExtra } from './extras.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-extras-'));
const beside = pathToFileURL(join(folder, 'file.js')).href;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a package that is not beside us is told with the command that installs it', () => {
  expect(missingExtra('pdf', beside)).toEqual({
    message: 'reading PDF files needs pdfjs-dist, which is not installed',
    install: 'npm install pdfjs-dist@6',
  });
  expect(missingExtra('mcpServer', beside)).toEqual({
    message: 'serving flows as MCP tools needs @modelcontextprotocol/sdk, which is not installed',
    install: 'npm install @modelcontextprotocol/sdk@1',
  });
  expect(missingExtra('bedrock', beside)).toEqual({
    message:
      'Amazon Bedrock needs @aws-sdk/client-bedrock-runtime and @smithy/node-http-handler, which are not installed',
    install: 'npm install @aws-sdk/client-bedrock-runtime@3 @smithy/node-http-handler@4',
  });
});

test('of several packages only those that are missing are told', () => {
  const half = join(folder, 'node_modules/@smithy/node-http-handler');
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'package.json'), '{"name": "@smithy/node-http-handler"}');
  expect(missingExtra('lambda', beside)?.install).toBe('npm install @aws-sdk/client-lambda@3');
});

test('what is installed is missed by nobody', () => {
  expect(missingExtra('mcp')).toBeUndefined();
  expect(() => requireExtra('mcp')).not.toThrow();
});

test.for(['nodes', 'cli'])('the optional peers of packages/%s are these packages, at these versions', (name) => {
  const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(read(`packages/${name}/package.json`)) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
    readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  };
  const versions = new Map(
    [...read('pnpm-workspace.yaml').matchAll(/^ {2}"?([^":]+)"?: \^([1-9]\d*|0\.\d+)/gmu)].map(
      ([, library, version]) => [library, `${library}@${version}`],
    ),
  );
  // Those of an engine are told by the command line itself.
  const named = Object.keys(peerDependencies).filter((peer) => !['pg', 'pg-boss'].includes(peer));
  const peers = named.map((peer) => versions.get(peer));
  // The command line has the client of OpenAI and the SDK of OpenTelemetry in its bundle.
  const wanted = extraPackages().filter((one) => name !== 'cli' || !/^(openai@|@opentelemetry\/)/.test(one));
  expect(peers.sort()).toEqual([...wanted].sort());
  expect(Object.values(peerDependenciesMeta).every(({ optional }) => optional)).toBe(true);
  expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
});
