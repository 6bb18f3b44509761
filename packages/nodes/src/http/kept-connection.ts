import { connect as connectPlain, isIP, type Socket, type SocketConstructorOpts } from 'node:net';
import { AnswerReader, BrokenAnswer, type ReadAnswer } from './answer-reader.ts';

/** Who waits for an answer; told of one of the two, once. */
export interface Waiting {
  answered(answer: ReadAnswer): void;
  failed(cause: unknown): void;
}

export type Connect = (origin: URL, reading: Pick<SocketConstructorOpts, 'onread'>) => Socket;

const connectLimitMs = 10_000;
/** Nothing came for so long. */
const silenceLimitMs = 300_000;
const bufferBytes = 16 * 1024;

/** One connection of HTTP/1.1 that is kept open: one request after the other, each with its answer. */
export class KeptConnection {
  private readonly socket: Socket;
  private readonly reader = new AnswerReader();
  private readonly onIdle: (connection: KeptConnection) => void;
  private waiting: Waiting | undefined;
  private broken: unknown;
  private keptUntil = 0;

  /** @param onIdle called when it can take another request */
  constructor(origin: URL, connect: Connect, onIdle: (connection: KeptConnection) => void) {
    this.onIdle = onIdle;
    const buffer = Buffer.allocUnsafe(bufferBytes);
    const onread = { buffer, callback: (size: number) => this.take(buffer.subarray(0, size)) };
    this.socket = connect(origin, { onread });
    const limit = setTimeout(() => this.fail(coded('ETIMEDOUT', 'Connect Timeout Error')), connectLimitMs);
    const isSecure = origin.protocol === 'https:';
    this.socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(limit));
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('end', () => this.end());
    this.socket.on('close', () => {
      clearTimeout(limit);
      this.fail(coded('UND_ERR_SOCKET', 'other side closed'));
    });
    this.socket.setTimeout(silenceLimitMs, () => this.fail(coded('ETIMEDOUT', 'Headers Timeout Error')));
  }

  /** Whether a request may be sent: nothing was heard of the other side's having closed it, and it is not too old. */
  isUsable(now: number): boolean {
    return this.broken === undefined && now < this.keptUntil;
  }

  send(request: string, waiting: Waiting): void {
    this.waiting = waiting;
    this.socket.ref();
    this.socket.write(request);
  }

  /** Gives up what is under way: nothing more is told of it. */
  close(): void {
    this.waiting = undefined;
    this.fail(new Error('closed'));
  }

  private take(bytes: Buffer): boolean {
    try {
      if (this.waiting === undefined) throw new BrokenAnswer('an answer that nobody asked for');
      const answer = this.reader.read(bytes);
      if (answer !== undefined) this.answer(answer);
    } catch (error) {
      if (!(error instanceof BrokenAnswer)) throw error;
      this.fail(coded('UND_ERR_SOCKET', error.message));
    }
    return true;
  }

  private answer(answer: ReadAnswer): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.answered(answer);
    if (answer.keptMs <= 0 || this.broken !== undefined) {
      this.close();
      return;
    }
    this.keptUntil = performance.now() + answer.keptMs;
    this.socket.unref();
    this.onIdle(this);
  }

  private end(): void {
    if (this.waiting === undefined) this.close();
    else {
      try {
        this.answer(this.reader.end());
      } catch (error) {
        this.fail(coded('UND_ERR_SOCKET', (error as Error).message));
      }
    }
  }

  private fail(cause: unknown): void {
    this.broken ??= cause;
    this.socket.destroy();
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.failed(cause);
  }
}

/** Failures carry the codes of undici, by which it is told whether another try may help. */
function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Connects to an origin; sessions of TLS are taken up again. */
export async function openConnect(secure: Readonly<Record<string, unknown>> = {}): Promise<Connect> {
  const { connect: connectSecurely } = await import('node:tls');
  const sessions = new Map<string, Buffer>();
  return ({ origin, protocol, hostname, port }, reading) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (protocol === 'http:') return connectPlain({ host, port: Number(port || 80), ...reading }).setNoDelay();
    const session = sessions.get(origin);
    const socket = connectSecurely({
      ...secure,
      ...(reading as object),
      host,
      port: Number(port || 443),
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(session === undefined ? {} : { session }),
    });
    socket.on('session', (one) => sessions.set(origin, one));
    return socket.setNoDelay();
  };
}
