import { NodeHttpHandler } from '@smithy/node-http-handler';

export type { NodeHttpHandler };

/** What clients of AWS send their requests with: HTTP/1.1. */
export function awsHttpHandler(): NodeHttpHandler {
  return new NodeHttpHandler();
}
