import { expect, test } from 'vitest';
import { startLambdaServer } from '../../testing/index.ts';
import { startRawServer } from '../../testing/raw-server.ts';
import { createLambdaTool } from './lambda-tool.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Whatever the service calls it: the program was not run to its end. */
test.for([
  { status: 404, type: 'ResourceNotFoundException', retryable: false },
  { status: 429, type: 'TooManyRequestsException', retryable: true },
  { status: 500, type: 'ServiceException', retryable: true },
  { status: 403, type: 'AccessDeniedException', retryable: false },
])('HTTP $status $type is told as INVOKE_ERROR, with its name', async ({ status, type, retryable }) => {
  const headers = { 'x-amzn-errortype': type, 'x-amzn-requestid': 'r-1' };
  await using server = await startLambdaServer(() => ({ status, headers, body: '{"message":"as the service says"}' }));
  const target = { functionName: 'f', region: 'us-east-1', endpoint: server.endpoint, credentials };
  for (const raiseFunctionProcessingError of [true, false]) {
    const tool = createLambdaTool({ name: 't', target, raiseFunctionProcessingError }, () => {});
    expect(await tool.call({}, new AbortController().signal)).toEqual({
      ok: false,
      toModel: false,
      error: {
        code: 'INVOKE_ERROR',
        message: `${type}: as the service says (HTTP ${status})`,
        retryable,
        service: { status },
      },
      requestId: 'r-1',
    });
  }
});

test('a server that is not there', async () => {
  const server = await startLambdaServer(() => ({ status: 200, body: '' }));
  await server[Symbol.asyncDispose]();
  const target = { functionName: 'f', region: 'us-east-1', endpoint: server.endpoint, credentials };
  const tool = createLambdaTool({ name: 't', target }, () => {});
  expect(await tool.call({}, new AbortController().signal)).toMatchObject({
    ok: false,
    error: {
      code: 'INVOKE_ERROR',
      message: expect.stringContaining('ECONNREFUSED'),
      retryable: true,
      service: { errno: 'ECONNREFUSED' },
    },
  });
});

test('an answer with bytes that are no UTF-8 is told as no text', async () => {
  await using server = await startRawServer();
  server.answerWith(() => (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-amzn-requestid': 'r-1' });
    response.end(Buffer.from('{"answer": "caf\u00e9"}', 'latin1'));
  });
  const target = { functionName: 'f', region: 'us-east-1', endpoint: server.url, credentials };
  const tool = createLambdaTool({ name: 't', target }, () => {});
  expect(await tool.call({}, new AbortController().signal)).toMatchObject({
    ok: false,
    error: { code: 'BINARY_RESULT', message: 'the answer holds bytes that are no UTF-8', retryable: false },
  });
});
