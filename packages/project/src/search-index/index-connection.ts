import { type Connection, didYouMean } from '@unroll/engine';
import type { ListedConnectionSource } from '@unroll/nodes';
import { tellDoubts } from '../connections/tell-doubts.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';

/** @throws ProjectFailure when there is no such connection */
export function connectionNamed(name: string, connections: ListedConnectionSource, system: System): Connection {
  const found = connections.find(name);
  if (found !== undefined) {
    tellDoubts(name, connections, system);
    return found;
  }
  throw new ProjectFailure(`there is no connection "${name}"`, {
    code: 'ConnectionNotFoundError',
    help: didYouMean(name, connections.names()) ?? 'flow connection list shows those there are',
  });
}

/** @throws ProjectFailure when it is not one of Azure AI Search */
export function requireSearch(connection: Connection): Connection {
  if (connection.type === 'cognitive_search') return connection;
  throw new ProjectFailure(`the connection "${connection.name}" is ${connection.type}; expected cognitive_search`, {
    help: 'flow connection create --name my_search --set type=cognitive_search api_base=https://<name>.search.windows.net',
  });
}
