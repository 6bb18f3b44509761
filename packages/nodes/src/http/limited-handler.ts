import { pipeline } from 'node:stream';
import type { NodeHttpHandler } from './aws-http-handler.ts';
import { LimitedBody, SizeLimitError } from './limited-body.ts';

export type LimitedHandler = Pick<
  NodeHttpHandler,
  'handle' | 'destroy' | 'updateHttpClientConfig' | 'httpHandlerConfigs'
>;

/** Refuses an answer that is too large by its header before a byte of it is read, else by counting. */
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
      response.body = pipeline(response.body, new LimitedBody(sizeLimit), () => {});
      return answer;
    },
    destroy: () => inner.destroy(),
    updateHttpClientConfig: (...given) => inner.updateHttpClientConfig(...given),
    httpHandlerConfigs: () => inner.httpHandlerConfigs(),
  };
}
