import type { FlowSpec } from '../flow/flow-spec.ts';
import type { ConnectionSource } from '../node/connection-source.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import { connectionReference, unsettable } from './environment-reference.ts';

/**
 * Environment variables that no program can be given, and those that stand for a field of a connection which is not there.
 *
 * @param overridden names of variables the run gives itself: what the flow writes for these does not count
 */
export function checkEnvironment(
  spec: FlowSpec,
  connections: ConnectionSource,
  overridden: ReadonlySet<string>,
): readonly Diagnostic[] {
  return Object.entries(spec.environmentVariables).flatMap(([name, value]) => {
    if (overridden.has(name)) return [];
    const problem = unsettable(name, value);
    if (problem !== undefined) return [wrongVariable(spec, name, problem)];
    const reference = connectionReference(value);
    if (reference === undefined) return [];
    const { connection } = reference;
    const known = connections.names();
    if (known.includes(connection) || connections.find(connection) !== undefined) return [];
    return [
      {
        severity: 'error' as const,
        code: 'CONNECTION_MISSING' as const,
        message: `there is no connection "${connection}" for the environment variable ${name}`,
        span: spec.locate(['environment_variables', name]),
        help: didYouMean(connection, known) ?? 'keep one with flow connection create, or write it in connections.yaml',
        details: { kind: 'connection-missing' as const, connection, known },
      },
    ];
  });
}

function wrongVariable(spec: FlowSpec, name: string, message: string): Diagnostic {
  return { severity: 'error', code: 'FLOW_WRONG_VALUE', message, span: spec.locate(['environment_variables', name]) };
}
