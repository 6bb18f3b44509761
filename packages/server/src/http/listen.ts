import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { ProjectFailure } from '@unroll/project';

/** Connections that wait to be taken; the system may allow less. */
const longestBacklog = 4096;

/** @throws ProjectFailure where the address cannot be taken */
export function listening(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'something else listens there' : error.message;
      const isPort = error.code !== 'EADDRNOTAVAIL' && error.code !== 'ENOTFOUND';
      const help = isPort
        ? 'Another one is chosen with --port; 0 takes any that is free.'
        : '--host takes an address of this machine; 0.0.0.0 is all of them.';
      reject(new ProjectFailure(`port ${port} of ${host} cannot be listened on: ${why}`, { code: 'PortTaken', help }));
    });
    server.listen({ port, host, backlog: longestBacklog }, resolve);
  });
}

/**
 * HTTP/1.0 asks for no Host, and checks of load balancers send none: such a request is to the address that is listened on.
 * What a page elsewhere sends, which the names of hosts are for, always has one.
 */
export function nameHost(request: IncomingMessage, host: string): void {
  if (request.httpVersion !== '1.0' || request.headers.host !== undefined) return;
  const name = isIPv6(host) ? `[${host}]` : host;
  request.headers.host = name;
  request.rawHeaders.push('Host', name);
}

export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Resolves once no connection is left; those that are kept alive are closed. */
export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1000).unref();
  });
}
