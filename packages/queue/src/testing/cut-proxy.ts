import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server and can cut what goes through it. */
export interface CutProxy extends AsyncDisposable {
  /** The address of the server, by way of the proxy. */
  readonly url: string;
  /** Ends every connection there is, without a word. */
  cut(): void;
  /** Ends every connection when the text goes by next, before it or what answers it is handed on. */
  cutAt(text: string, when: 'before' | 'after'): Promise<void>;
  /** Once the text goes by next, the server hears nothing more on its connection, as of a process that stands still. Resolves when it has answered. */
  holdAt(text: string): Promise<void>;
}

export async function startCutProxy(serverUrl: string): Promise<CutProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  let hold: { readonly text: string; readonly done: () => void } | undefined;
  let watch: { readonly text: string; readonly when: 'before' | 'after'; readonly done: () => void } | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isAnswerCut = false;
    let isHeld = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (watch !== undefined && bytes.includes(watch.text)) {
        if (watch.when === 'after') isAnswerCut = true;
        else {
          watch.done();
          watch = undefined;
          cut();
          return;
        }
      }
      if (!isHeld) upstream.write(bytes);
    });
    client.on('data', (bytes) => {
      if (hold === undefined || !bytes.includes(hold.text)) return;
      isHeld = true;
      upstream.once('data', hold.done);
      hold = undefined;
    });
    upstream.on('data', (bytes) => {
      if (!isAnswerCut) {
        client.write(bytes);
        return;
      }
      watch?.done();
      watch = undefined;
      cut();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(serverUrl);
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: url.href,
    cut,
    cutAt: (text, when) =>
      new Promise((done) => {
        watch = { text, when, done };
      }),
    holdAt: (text) =>
      new Promise((done) => {
        hold = { text, done };
      }),
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
