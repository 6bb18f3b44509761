import * as z from 'zod';

const count = z.int().min(1);

export const serverSettings = z.strictObject({
  host: z.string().default('127.0.0.1'),
  /** 0: any that is free. */
  port: z.int().min(0).max(65_535).default(8080),
  /** Bearer token that every request must bring. */
  key: z.string().min(1).optional(),
  /** Whether it may be served elsewhere than on loopback without a key. */
  isOpen: z.boolean().default(false),
  /** Names in Host headers that are served beside those of the address itself. */
  hosts: z.array(z.string()).default([]),
  /** Origins whose pages may ask; `*`: all. */
  origins: z.array(z.string()).default([]),
  maxBodyBytes: count.default(16 * 2 ** 20),
  /** Milliseconds a request may take, its wait in the queue among them. */
  requestTimeoutMs: count.default(300_000),
  /** Milliseconds in which a request must have come whole. */
  receiveTimeoutMs: count.default(30_000),
  maxInFlight: count.default(64),
  maxQueue: z.int().min(0).default(256),
  /** Milliseconds that requests under way have when the server is to end. */
  drainMs: z.int().min(0).default(30_000),
});

export type ServerSettings = Readonly<z.input<typeof serverSettings>>;
export type ReadServerSettings = Readonly<z.output<typeof serverSettings>>;

/** Whether nobody but this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
