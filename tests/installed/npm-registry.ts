import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';

const store = join(import.meta.dirname, '../../node_modules/.pnpm');

/** A registry on loopback, as npm asks one: it has what is installed in this workspace, packed when it is first asked for. */
export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
}

export async function startNpmRegistry(): Promise<NpmRegistry> {
  const tarballs = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const tarball = tarballs.get(path);
    if (tarball !== undefined) response.end(tarball);
    else sendPackument(path, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function sendPackument(name: string, response: ServerResponse): void {
    const versions = foldersOf(name).map((folder) => versionIn(folder, name));
    const last = versions.at(-1);
    if (last === undefined) response.writeHead(404).end('{"error": "not_found"}');
    else {
      const byVersion = Object.fromEntries(versions.map((one) => [one['version'], one]));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, 'dist-tags': { latest: last['version'] }, versions: byVersion }));
    }
  }

  function versionIn(folder: string, name: string): Readonly<Record<string, unknown>> {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    const path = `-/${name}-${manifest['version']}.tgz`;
    const packed = tarballs.get(path) ?? pack(folder);
    tarballs.set(path, packed);
    const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
    return { ...manifest, dist: { tarball: `${url}/${path}`, integrity } };
  }

  return {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Each version of a package that is installed here. */
function foldersOf(name: string): readonly string[] {
  const kept = globSync(`${name.replace('/', '+')}@*/node_modules/${name}`, { cwd: store });
  return kept.map((path) => join(store, path)).filter((folder) => existsSync(join(folder, 'package.json')));
}

function pack(folder: string): Buffer {
  const argv = ['-czhf', '-', '--exclude', 'node_modules', '-C', dirname(folder), basename(folder)];
  return execFileSync('tar', argv, { maxBuffer: 2 ** 28 });
}
