import type { NodeHttpHandler } from '@smithy/node-http-handler';

export type { NodeHttpHandler };

/** What clients of AWS send their requests with: HTTP/1.1. Loaded when the first client is made. */
export async function awsHttpHandler(): Promise<NodeHttpHandler> {
  const { NodeHttpHandler: Handler } = await import('@smithy/node-http-handler');
  return new Handler();
}
