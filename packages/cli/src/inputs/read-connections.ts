import type { ConnectionOverride } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project';

/** `node.key=value` overrides a node, anything else is a connections file. */
export function readConnections(given: readonly string[]): {
  readonly connectionsFile?: string;
  readonly overrides: readonly ConnectionOverride[];
} {
  const overrides: ConnectionOverride[] = [];
  const files: string[] = [];
  for (const text of given) {
    const [, node, key, value] = /^([^.=/\\]+)\.([^.=/\\]+)=(.*)$/.exec(text) ?? [];
    if (node === undefined || key === undefined || value === undefined) files.push(text);
    else overrides.push({ node, key, value });
  }
  const [connectionsFile, second] = files;
  if (second !== undefined) {
    throw new ProjectFailure(`--connections takes one file and any number of node.key=value, not "${second}"`, {
      help: 'For instance: --connections ask.connection=mine ask.deployment_name=gpt-4o',
    });
  }
  return { overrides, ...(connectionsFile === undefined ? {} : { connectionsFile }) };
}
