import { type Connection, type PrepareContext, PrepareError, type ToolResult } from '@unroll/engine';
import { awsCredentials, awsIdentity } from '../../aws/aws-credentials.ts';
import { requireConnection } from '../../connections/find-connection.ts';
import { createLambdaTool, type LambdaInvoke, type LambdaTarget } from '../lambda/index.ts';
import type { RunFunction } from './code-tool.ts';
import { openLocalProgram } from './local-program.ts';
import type { LambdaPlace, ToolDefinition, ToolExecutor } from './tool-definition.ts';
import type { ToolLog } from './tool-log.ts';

/**
 * A user program on AWS Lambda. Its connection is a custom one: configs `region`, `endpoint`, `assume_role` and those of
 * `awsIdentity`; secrets `aws_access_key_id`, `aws_secret_access_key`, `aws_session_token`. Without one AWS's own rules
 * find keys and region. The role of the program is assumed. With the connection `offline` the program at `local` runs in
 * this process.
 *
 * @throws PrepareError when the connection does not exist
 */
export async function openLambda(
  { name, timeoutMs }: ToolDefinition,
  { lambda, target }: Extract<ToolExecutor, { kind: 'lambda' }>,
  context: PrepareContext,
  log: ToolLog,
): Promise<RunFunction> {
  const connection =
    target.connection === undefined ? undefined : requireConnection(target.connection, name, context.connections);
  const invoke = await localInvoke(target, connection, context, log);
  const definition = { ...lambda, timeoutMs, target: targetOf(target, connection, context) };
  const tool = createLambdaTool(invoke === undefined ? definition : { ...definition, invoke }, ({ text, level }) =>
    log(level === 'info' ? 'stdout' : 'stderr', `${text}\n`),
  );
  return async (given, { signal }): Promise<ToolResult> => {
    const called = await tool.call(given, signal);
    return called.ok ? { ok: true, content: called.text, requestId: called.requestId } : called;
  };
}

/** With the offline connection a program that lies in the flow's folder runs here. */
async function localInvoke(
  { local, functionName }: LambdaPlace,
  connection: Connection | undefined,
  context: PrepareContext,
  log: ToolLog,
): Promise<LambdaInvoke | undefined> {
  if (connection?.type !== 'offline') return undefined;
  const path = local === undefined ? undefined : context.files.resolve(local);
  if (path !== undefined) return await openLocalProgram(path, functionName, context, log);
  const message = `"${functionName}" cannot run offline: write where the program lies, \`local\``;
  throw new PrepareError({ code: 'ToolLoadError', message, retryable: false });
}

function targetOf(
  { functionName, region: written, endpoint, role }: LambdaPlace,
  connection: Connection | undefined,
  { environment }: PrepareContext,
): LambdaTarget {
  const { configs = {}, secrets = {} } = connection ?? {};
  const identity = awsIdentity({ configs, secrets }, 'aws_');
  const variables = { ...process.env, ...environment };
  const ambient =
    identity.profile === undefined ? (variables['AWS_REGION'] ?? variables['AWS_DEFAULT_REGION']) : undefined;
  const region = written ?? configs['region'] ?? ambient;
  const address = endpoint ?? configs['endpoint'];
  // Where the caller has that role already: `assume_role: "false"`.
  const own = role === undefined || configs['assume_role'] === 'false' ? [] : [role];
  const roles = [...identity.roles, ...own];
  const credentials = awsCredentials({ ...identity, roles }, region);
  return {
    functionName,
    ...(region === undefined ? {} : { region }),
    ...(address === undefined ? {} : { endpoint: address }),
    ...(identity.profile === undefined ? {} : { profile: identity.profile }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}
