import { connectionClasses, type NodeInspection, type Parameter } from '@unroll/engine';
import { connectionTypes } from './connection-types.ts';

/**
 * Types of connections that parameters take, by the classes they name; nothing of a parameter one of whose classes is none of
 * Prompt flow's, since a custom connection may become it.
 */
export function acceptedConnections(parameters: readonly Parameter[]): Required<NodeInspection>['acceptedConnections'] {
  return Object.fromEntries(
    parameters.flatMap(({ name, type = '' }) => {
      const types = connectionClasses(type).map((one) => typeOf(one));
      const known = types.filter((one) => one !== undefined);
      return known.length === 0 || known.length < types.length ? [] : [[name, known]];
    }),
  );
}

function typeOf(className: string): string | undefined {
  return Object.entries(connectionTypes).find(([, one]) => one.className === className)?.[0];
}
