import { aborts } from '@unroll/engine';
import { type Connect, KeptConnection, openConnect, type Waiting } from './kept-connection.ts';
import { answerOf, failedWith, type Post, type PostAnswer, type PostRequest, type PostTarget } from './post-answer.ts';
import { proxiesOf } from './proxies.ts';

/**
 * Posts at the least cost: over connections of HTTP/1.1 that are kept open, each request one text and, where it is plain
 * JSON, its answer read from the bytes as they came in: under half of what undici takes. Through a proxy, and for headers
 * that mean something to the connection itself, undici is what posts.
 */
export async function openPost(environment: NodeJS.ProcessEnv = process.env): Promise<Post> {
  const dispatched = lateDispatchedPost();
  if (proxiesOf(environment) !== undefined) return dispatched;
  return plainPost(await openConnect(), dispatched);
}

/** undici is loaded when it is first used. */
function lateDispatchedPost(): Post {
  return async (request) => {
    const [{ openDispatcher }, { dispatchedPost }] = await Promise.all([
      import('./dispatcher.ts'),
      import('./dispatched-post.ts'),
    ]);
    return await dispatchedPost(await openDispatcher())(request);
  };
}

/** @param otherwise sends what a plain connection does not */
export function plainPost(connect: Connect, otherwise: Post): Post {
  const connections = new Connections(connect);
  const heads = new WeakMap<PostTarget, string>();
  return (request) => {
    const { target, signal } = request;
    const head = heads.get(target) ?? headOf(target);
    if (head === undefined) return otherwise(request);
    heads.set(target, head);
    return new Promise((resolve) => {
      if (signal.aborted) resolve(failedWith(signal.reason, signal));
      else new Asked(request, head, connections, resolve).send();
    });
  };
}

/** One request under way. */
class Asked implements Waiting {
  private readonly request: PostRequest;
  private readonly head: string;
  private readonly resolve: (answer: PostAnswer) => void;
  private readonly connection: KeptConnection;

  constructor(request: PostRequest, head: string, connections: Connections, resolve: (answer: PostAnswer) => void) {
    this.request = request;
    this.head = head;
    this.resolve = resolve;
    this.connection = connections.take(request.target.origin);
  }

  send(): void {
    const { body, signal } = this.request;
    aborts.watch(signal, this.giveUp);
    this.connection.send(`${this.head}${Buffer.byteLength(body)}\r\n\r\n${body}`, this);
  }

  answered({ status, headers, body }: Parameters<Waiting['answered']>[0]): void {
    aborts.unwatch(this.request.signal, this.giveUp);
    this.resolve(answerOf(status, headers, body));
  }

  failed(cause: unknown): void {
    const { signal } = this.request;
    aborts.unwatch(signal, this.giveUp);
    this.resolve(failedWith(cause, signal));
  }

  private readonly giveUp = (): void => {
    this.connection.close();
    this.failed(this.request.signal.reason);
  };
}

/** The connections that are open, by origin; the one used last is used first. */
class Connections {
  private readonly connect: Connect;
  private readonly idle = new Map<string, KeptConnection[]>();

  constructor(connect: Connect) {
    this.connect = connect;
  }

  take(origin: string): KeptConnection {
    const idle = this.idle.get(origin) ?? [];
    this.idle.set(origin, idle);
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (kept.isUsable(performance.now())) return kept;
      kept.close();
    }
    return new KeptConnection(new URL(origin), this.connect, (connection) => idle.push(connection));
  }
}

/** Headers that say how the connection is used: undici knows what to do with them. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/** A request up to the length of its body; undefined where a plain connection does not send it. */
function headOf({ origin, path, headers }: PostTarget): string | undefined {
  const lines = Object.entries(headers).map(([name, value]) => ({ name: name.toLowerCase(), value }));
  const isPlain = lines.every(({ name, value }) => {
    return !ofConnection.has(name) && /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t -~]*$/.test(value);
  });
  if (!isPlain || !/^\/[!-~]*$/.test(path)) return undefined;
  const given = lines.map(({ name, value }) => `${name}: ${value}\r\n`).join('');
  return `POST ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\nconnection: keep-alive\r\n${given}content-length: `;
}
