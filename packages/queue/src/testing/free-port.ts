import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of the loopback that nobody has now. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
