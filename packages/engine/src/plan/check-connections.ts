import { fallbackConnection } from '../flow/fallback.ts';
import { connectionClasses } from '../node/connection-classes.ts';
import type { ConnectionSource } from '../node/connection-source.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { Span } from '../source/source-file.ts';
import { type CheckedNode, placeInNode, shownName } from './checked-node.ts';

/**
 * Connections that are named and cannot be found, or cannot be used: of a node, or as a literal for a parameter that is a
 * connection.
 */
export function checkConnections(nodes: readonly CheckedNode[], connections: ConnectionSource): readonly Diagnostic[] {
  const known = connections.names();
  const exists = (name: string): boolean => known.includes(name) || connections.find(name) !== undefined;
  return nodes.flatMap((node) =>
    [...ownConnection(node), ...fallbacks(node), ...connectionInputs(node)].flatMap((named) => {
      const problem = connections.problem?.(named.connection);
      if (problem !== undefined) return [unusable(node, named, problem)];
      return exists(named.connection) ? [] : [missing(node, named, connections)];
    }),
  );
}

/** The connections for checks of what is given to them: of one that cannot be used nothing is known, which stops no other check. */
export function usableConnections(connections: ConnectionSource): ConnectionSource {
  return {
    ...connections,
    find: (name) => (connections.problem?.(name) === undefined ? connections.find(name) : undefined),
  };
}

interface Named {
  readonly connection: string;
  readonly span: Span | undefined;
}

function ownConnection(node: CheckedNode): readonly Named[] {
  const { connection } = node.definition;
  return connection === undefined || connection === '' ? [] : [{ connection, span: placeInNode(node, ['connection']) }];
}

function fallbacks(node: CheckedNode): readonly Named[] {
  return (node.spec.retry?.fallback ?? []).map((one, index) => {
    const place = ['retry', 'fallback', index, ...(typeof one === 'string' ? [] : ['connection'])];
    return { connection: fallbackConnection(one), span: placeInNode(node, place) };
  });
}

function connectionInputs(node: CheckedNode): readonly Named[] {
  return (node.inspection.parameters ?? []).flatMap(({ name, type = '' }) => {
    const input = node.definition.inputs[name];
    if (connectionClasses(type).length === 0 || input?.kind !== 'literal' || typeof input.value !== 'string') return [];
    return input.value === '' ? [] : [{ connection: input.value, span: placeInNode(node, ['inputs', name]) }];
  });
}

function unusable(node: CheckedNode, { connection, span }: Named, problem: string): Diagnostic {
  const { name } = node.spec;
  return {
    severity: 'error',
    code: 'CONNECTION_UNUSABLE',
    message: `the connection "${connection}" of node "${shownName(node)}" cannot be used`,
    span,
    help: problem,
    unreadyNode: name,
  };
}

function missing(node: CheckedNode, { connection, span }: Named, connections: ConnectionSource): Diagnostic {
  const { name } = node.spec;
  const known = connections.names();
  const near = connections.hint?.(connection) ?? didYouMean(connection, known);
  const defineIt = 'define it in connections.yaml, with flow connection create, or in environment variables';
  return {
    severity: 'error',
    code: 'CONNECTION_MISSING',
    message: `there is no connection "${connection}" for node "${shownName(node)}"`,
    span,
    help: near ?? `${known.length === 0 ? '' : `known are ${known.map((one) => `"${one}"`).join(', ')}; `}${defineIt}`,
    unreadyNode: name,
    details: { kind: 'connection-missing', connection, node: name, writtenNode: shownName(node), known },
  };
}
