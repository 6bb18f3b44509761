import {
  type Connection,
  isMapping,
  type NodeError,
  type PrepareContext,
  PrepareError,
  type Value,
  type Values,
} from '@unroll/engine';
import { resolveVariable } from '../prompty/prompty-connection.ts';

/** Arguments of a constructor as the worker gets them, with the connections they name and every secret among them. */
export interface FlexInit {
  readonly init: Values;
  readonly connections: Values;
  readonly secrets: readonly string[];
}

/**
 * A text that names a connection comes with it, for parameters that ask for one; a model configuration `{connection: NAME, …}`
 * gets the fields of the connection, and `${env:NAME}` its variable.
 *
 * @throws PrepareError when a connection or a variable is not there
 */
export function flexInit(written: Values, context: PrepareContext): FlexInit {
  const reader = new InitReader(context);
  const init = Object.fromEntries(Object.entries(written).map(([key, value]) => [key, reader.read(value)]));
  return { init, connections: reader.connections, secrets: reader.secrets };
}

class InitReader {
  readonly connections: Record<string, Value> = {};
  readonly secrets: string[] = [];
  readonly #context: PrepareContext;

  constructor(context: PrepareContext) {
    this.#context = context;
  }

  read(value: Value): Value {
    if (typeof value === 'string') this.#bring(value);
    return isMapping(value) ? this.#configuration(value) : value;
  }

  #bring(name: string): void {
    const connection = this.#find(name);
    if (connection === undefined) return;
    const { type, configs, secrets } = connection;
    this.connections[name] = { type, configs, secrets };
  }

  #configuration({ connection: name, ...fields }: Values): Values {
    const environment = { ...process.env, ...this.#context.environment };
    const resolved = Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, resolveVariable(field, environment)]),
    );
    if (typeof resolved['api_key'] === 'string') this.secrets.push(resolved['api_key']);
    if (typeof name !== 'string') return resolved;
    const connection = this.#find(name);
    if (connection === undefined) throw new PrepareError(noConnection(name));
    return { ...modelFields(connection), ...resolved };
  }

  #find(name: string): Connection | undefined {
    const { connections } = this.#context;
    const connection = connections.names().includes(name) ? connections.find(name) : undefined;
    if (connection !== undefined) this.secrets.push(...Object.values(connection.secrets));
    return connection;
  }
}

/** Fields of a connection as a model configuration of Prompt flow calls them. */
function modelFields({ type, configs, secrets }: Connection): Values {
  const { api_base: endpoint, api_type: _type, auth_mode: _mode, resource_id: _id, ...rest } = configs;
  const named = type === 'azure_open_ai' ? { azure_endpoint: endpoint ?? '' } : {};
  return { type: type === 'azure_open_ai' ? 'azure_openai' : 'openai', ...named, ...rest, ...secrets };
}

function noConnection(name: string): NodeError {
  const message = `Connection '${name}' is not found.`;
  return {
    code: 'ConnectionNotFoundError',
    message,
    retryable: false,
    codes: ['UserError', 'ConnectionNotFoundError'],
  };
}
