import type { ConnectionSource } from '../node/connection-source.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { JsonObject } from '../value/json.ts';

/** The connections, each of which the redactor learns as soon as it is asked for. */
export function learningConnections(connections: ConnectionSource, redactor: Redactor): ConnectionSource {
  return {
    find: (name) => {
      const found = connections.find(name);
      if (found !== undefined) redactor.learnConnection(found);
      return found;
    },
    names: () => connections.names(),
    hint: (name) => connections.hint?.(name),
    problem: (name) => connections.problem?.(name),
  };
}

/** What of a mapping is text. */
export function textsIn(values: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
