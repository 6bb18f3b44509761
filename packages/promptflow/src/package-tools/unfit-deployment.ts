import type { ConnectionSource, JsonObject } from '@unroll/engine';
import type { ConnectionMistake } from './built-in-tool.ts';

/** Of an embedding that names no model: a deployment that nobody is asked for, since only Azure has some, or none where Azure wants one. */
export function unfitDeployment(
  { connection: named }: JsonObject,
  connections: ConnectionSource,
  given: ReadonlySet<string>,
): ConnectionMistake | undefined {
  if (typeof named !== 'string' || given.has('model')) return undefined;
  const type = connections.find(named)?.type;
  if (type === 'azure_open_ai' && !given.has('deployment_name')) return unnamedDeployment(named);
  if ((type !== 'open_ai' && type !== 'serverless') || !given.has('deployment_name')) return undefined;
  return {
    input: 'deployment_name',
    isDoubt: true,
    message: `connection "${named}" of type ${type} has no deployments: it is asked for the tool's own model, text-embedding-ada-002`,
    help: 'write "model" in the place of "deployment_name"',
  };
}

/** Prompt flow asks for a deployment without a name, which no resource has; rarely is one called as the model is. */
function unnamedDeployment(connection: string): ConnectionMistake {
  return {
    input: 'connection',
    isDoubt: true,
    message: `the node names no deployment of connection "${connection}": it is asked for the tool's own model, text-embedding-ada-002`,
    help: 'add "deployment_name" to the inputs of the node',
  };
}
