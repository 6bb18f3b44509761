import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server on the loopback that can be blocked, and on which connections break. */
export interface TcpProxy extends AsyncDisposable {
  /** The address it was made of, led through it. */
  readonly url: string;
  /** How many connections were broken in the middle of an answer. */
  readonly broken: () => number;
  /** Ends every connection, and refuses new ones. */
  block(): void;
  /** Lets connections through again. */
  letThrough(): void;
  /** Loses each so-manieth piece of an answer, and its connection with it, so many times. */
  breakEvery(pieces: number, times: number): void;
}

export async function startProxy(to: string): Promise<TcpProxy> {
  const target = new URL(to);
  const open = new Set<Socket>();
  let isBlocked = false;
  let [every, max, pieces, broken] = [0, 0, 0, 0];
  const proxy = createServer((client) => {
    if (isBlocked) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      open.add(socket);
      const end = (): void => {
        client.destroy();
        server.destroy();
        open.delete(socket);
      };
      socket.on('error', end).on('close', end);
    }
    client.pipe(server);
    server.on('data', (piece) => {
      pieces += 1;
      if (broken < max && pieces % every === 0) {
        broken += 1;
        client.resetAndDestroy();
      } else client.write(piece);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(to);
  url.port = String((proxy.address() as AddressInfo).port);
  const endAll = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    broken: () => broken,
    block() {
      isBlocked = true;
      endAll();
    },
    letThrough() {
      isBlocked = false;
    },
    breakEvery(count, times) {
      every = count;
      max = broken + times;
    },
    async [Symbol.asyncDispose]() {
      endAll();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
