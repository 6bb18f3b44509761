import { pipeline } from 'node:stream';
import type { NodeHttpHandler } from './aws-http-handler.ts';
import { LimitedBody, SizeLimitError } from './limited-body.ts';

const errorBodies = new WeakMap<object, Promise<string>>();

/** The body of a refusal: the SDK throws most of it away. */
export function errorBodyText(response: object | undefined): Promise<string> {
  return (response === undefined ? undefined : errorBodies.get(response)) ?? Promise.resolve('');
}

export type LimitedHandler = Pick<
  NodeHttpHandler,
  'handle' | 'destroy' | 'updateHttpClientConfig' | 'httpHandlerConfigs'
>;

/** Of a body that somebody else reads; whole, since a part of a secret would not be known as one. */
function bodyText(body: LimitedBody): Promise<string> {
  const parts: Buffer[] = [];
  body.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve) => {
    body.once('close', () => resolve(Buffer.concat(parts).toString('utf8')));
  });
}

/**
 * Refuses an answer that is too large by its header before a byte of it is read, else by counting; and one whose bytes are no
 * UTF-8. The words of a refusal are told as they can be read.
 */
export function limitedHandler(inner: NodeHttpHandler, sizeLimit: number): LimitedHandler {
  return {
    handle: async (...given) => {
      const answer = await inner.handle(...given);
      const { response } = answer;
      const announced = Number(response.headers['content-length'] ?? 0);
      if (announced > sizeLimit) {
        response.body.destroy();
        throw new SizeLimitError(announced, sizeLimit);
      }
      const isRefusal = response.statusCode >= 300;
      const body = new LimitedBody(sizeLimit, !isRefusal);
      response.body = pipeline(response.body, body, () => {});
      if (isRefusal) errorBodies.set(response, bodyText(body));
      return answer;
    },
    destroy: () => inner.destroy(),
    updateHttpClientConfig: (...given) => inner.updateHttpClientConfig(...given),
    httpHandlerConfigs: () => inner.httpHandlerConfigs(),
  };
}
