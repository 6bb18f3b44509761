import type { ConnectionSource, JsonObject } from '@unroll/engine';
import type { ConnectionMistake } from './built-in-tool.ts';

/** Of an embedding: a deployment that nobody is asked for, since only Azure has some, where no model is named either. */
export function unusedDeployment(
  { connection: named }: JsonObject,
  connections: ConnectionSource,
  given: ReadonlySet<string>,
): ConnectionMistake | undefined {
  if (typeof named !== 'string' || !given.has('deployment_name') || given.has('model')) return undefined;
  const type = connections.find(named)?.type;
  if (type !== 'open_ai' && type !== 'serverless') return undefined;
  return {
    input: 'deployment_name',
    isDoubt: true,
    message: `connection "${named}" of type ${type} has no deployments: it is asked for the tool's own model, text-embedding-ada-002`,
    help: 'write "model" in the place of "deployment_name"',
  };
}
