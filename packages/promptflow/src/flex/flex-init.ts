import { type Connection, isMapping, type JsonObject, type JsonValue, type PrepareContext } from '@unroll/engine';
import { resolveVariable } from '../prompty/prompty-connection.ts';

/** Arguments of a constructor as the worker gets them, with the connections they name; every secret among them is known to the redactor. */
export interface FlexInit {
  readonly init: JsonObject;
  readonly connections: JsonObject;
  readonly connectionNames: readonly string[];
}

/**
 * A text that names a connection comes with it, for parameters that ask for one; so does a model configuration
 * `{connection: NAME, …}`, whose `${env:NAME}` gets its variable.
 *
 * @throws PrepareError when a variable is not there
 */
export function flexInit(written: JsonObject, context: PrepareContext): FlexInit {
  const reader = new InitReader(context);
  const init = Object.fromEntries(Object.entries(written).map(([key, value]) => [key, reader.read(value)]));
  return { init, connections: reader.connections, connectionNames: context.connections.names() };
}

class InitReader {
  readonly connections: Record<string, JsonValue> = {};
  readonly #context: PrepareContext;

  constructor(context: PrepareContext) {
    this.#context = context;
  }

  read(value: JsonValue): JsonValue {
    if (typeof value === 'string') this.#bring(value);
    return isMapping(value) ? this.#configuration(value) : value;
  }

  #bring(name: string): void {
    const connection = this.#find(name);
    if (connection === undefined) return;
    const { type, configs, secrets } = connection;
    this.connections[name] = { type, configs, secrets };
  }

  #configuration(fields: JsonObject): JsonObject {
    const environment = { ...process.env, ...this.#context.environment };
    const resolved = Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, resolveVariable(field, environment)]),
    );
    if (typeof resolved['api_key'] === 'string') this.#context.redactor.learn(resolved['api_key']);
    if (typeof resolved['connection'] === 'string') this.#bring(resolved['connection']);
    return resolved;
  }

  #find(name: string): Connection | undefined {
    const { connections } = this.#context;
    return connections.names().includes(name) ? connections.find(name) : undefined;
  }
}
