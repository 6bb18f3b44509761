import type { HonoRequest } from 'hono';

/** A body of bytes that are no text: what stands for them would be other data than was sent. */
export class NoText extends Error {
  constructor() {
    super('The body must be text in UTF-8.');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The body of a request.
 *
 * @throws NoText where it is no UTF-8
 */
export async function requestText(request: HonoRequest): Promise<string> {
  const bytes = await request.arrayBuffer();
  try {
    return utf8.decode(bytes);
  } catch {
    throw new NoText();
  }
}
