import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, type ConnectionSource, type JsonObject, parseJson } from '@unroll/engine';
import { type PromptFlowCase, promptFlowFolder } from './case.ts';
import { executorConnection } from './executor-connection.ts';

const openAiClasses = ['OpenAIConnection', 'AzureOpenAIConnection', 'ServerlessConnection'];

/**
 * The connections of the cases, those of the case before them. With a server that answers for the models, connections
 * to models lead there. Errors list those that the case names, or all of the file.
 */
export function caseConnections(one: PromptFlowCase, serverUrl: string | undefined): ConnectionSource {
  const shared = parseJson(readFileSync(join(promptFlowFolder, 'connections.json'), 'utf8')) as JsonObject;
  const written: JsonObject = { ...chosen(shared, one.connections), ...one.connection_overrides };
  const connections = new Map(
    Object.entries(written).map(([name, connection]): [string, Connection] => {
      const made = executorConnection(name, connection as JsonObject);
      return [
        name,
        serverUrl === undefined ? made : ledTo(made, String((connection as JsonObject)['type']), serverUrl),
      ];
    }),
  );
  return { find: (name) => connections.get(name), names: () => [...connections.keys()] };
}

/** Those a case names, in its order. */
function chosen(shared: JsonObject, names: readonly string[] | undefined): JsonObject {
  if (names === undefined) return shared;
  return Object.fromEntries(names.flatMap((name) => (shared[name] === undefined ? [] : [[name, shared[name]]])));
}

function ledTo(connection: Connection, className: string, url: string): Connection {
  if (!openAiClasses.includes(className)) return connection;
  const { configs } = connection;
  const key = className === 'OpenAIConnection' ? 'base_url' : 'api_base';
  return { ...connection, configs: { ...configs, [key]: key === 'base_url' ? `${url}/v1` : url } };
}
