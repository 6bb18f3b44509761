import type { ConnectionSource, MissingPackage } from '@unroll/engine';
import { awsIdentity } from '../../aws/aws-credentials.ts';
import { missingExtras } from '../../connections/connection-extras.ts';
import type { Extra } from '../../extras/extras.ts';
import type { LambdaPlace, ToolEntry, ToolTableDefinition } from './tool-definition.ts';

/** What the tools of a table need beside what is always there, and is not installed. */
export function missingToolPackages(
  { entries }: ToolTableDefinition,
  connections: ConnectionSource,
): readonly MissingPackage[] {
  const needed = new Set(entries.flatMap((entry) => extrasOf(entry, connections)));
  return missingExtras([...needed], ['tools']);
}

function extrasOf(entry: ToolEntry, connections: ConnectionSource): readonly Extra[] {
  if (entry.kind === 'mcp') return ['mcp'];
  const { executor } = entry.tool;
  return executor.kind === 'lambda' ? lambdaExtras(executor.target, connections) : [];
}

/** On the connection `offline` a program runs here. */
function lambdaExtras({ connection: name, role }: LambdaPlace, connections: ConnectionSource): readonly Extra[] {
  const connection = name === undefined ? undefined : connections.find(name);
  if (connection?.type === 'offline') return [];
  const { configs = {}, secrets = {} } = connection ?? {};
  const assumes = role !== undefined && configs['assume_role'] !== 'false';
  const hasRoles = assumes || awsIdentity({ configs, secrets }, 'aws_').roles.length > 0;
  return hasRoles ? ['lambda', 'awsRoles'] : ['lambda'];
}
