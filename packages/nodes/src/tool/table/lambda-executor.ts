import type { Connection, PrepareContext, ToolResult } from '@unroll/engine';
import { requireConnection } from '../../connections/find-connection.ts';
import { createLambdaTool, type LambdaTarget } from '../lambda/index.ts';
import type { RunFunction } from './code-tool.ts';
import type { LambdaPlace, ToolDefinition, ToolExecutor } from './tool-definition.ts';
import type { ToolLog } from './tool-log.ts';

/**
 * A user program on AWS Lambda. Its connection is a custom one: configs `region`, `endpoint`; secrets
 * `aws_access_key_id`, `aws_secret_access_key`, `aws_session_token`. Without one AWS's own rules find keys and region.
 *
 * @throws PrepareError when the connection does not exist
 */
export function openLambda(
  { name, timeoutMs }: ToolDefinition,
  { lambda, target }: Extract<ToolExecutor, { kind: 'lambda' }>,
  context: PrepareContext,
  log: ToolLog,
): RunFunction {
  const connection =
    target.connection === undefined ? undefined : requireConnection(target.connection, name, context.connections);
  const tool = createLambdaTool(
    { ...lambda, timeoutMs, target: targetOf(target, connection, context) },
    ({ text, level }) => log(level === 'info' ? 'stdout' : 'stderr', `${text}\n`),
  );
  return async (given, { signal }): Promise<ToolResult> => {
    const called = await tool.call(given, signal);
    return called.ok ? { ok: true, content: called.text, requestId: called.requestId } : called;
  };
}

function targetOf(
  { functionName, region, endpoint }: LambdaPlace,
  connection: Connection | undefined,
  { environment }: PrepareContext,
): LambdaTarget {
  const { configs = {}, secrets = {} } = connection ?? {};
  const variables = { ...process.env, ...environment };
  const address = endpoint ?? configs['endpoint'];
  const { aws_access_key_id: keyId, aws_secret_access_key: key, aws_session_token: token } = secrets;
  return {
    functionName,
    region: region ?? configs['region'] ?? variables['AWS_REGION'] ?? variables['AWS_DEFAULT_REGION'] ?? 'us-east-1',
    ...(address === undefined ? {} : { endpoint: address }),
    ...(keyId === undefined || key === undefined
      ? {}
      : {
          credentials: {
            accessKeyId: keyId,
            secretAccessKey: key,
            ...(token === undefined ? {} : { sessionToken: token }),
          },
        }),
  };
}
