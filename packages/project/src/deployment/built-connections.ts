import { type Connection, type JsonObject, type Redactor, stringifyYaml } from '@unroll/engine';
import { connectionPackages, type ListedConnectionSource, overrideName } from '@unroll/nodes';

/** A variable that must be there where the flow is served. */
export interface NeededVariable {
  readonly name: string;
  /** What it is for, in a few words. */
  readonly about: string;
}

/** The connections of a flow as they go along: every secret by the name of a variable. */
export interface BuiltConnections {
  /** Text of a connections.yaml; undefined where the flow needs none. */
  readonly text: string | undefined;
  readonly variables: readonly NeededVariable[];
  /** Packages that asking them needs, as `name@major`. */
  readonly packages: readonly string[];
}

/** @param isNamed whether a file of the flow speaks of the connection */
export function buildConnections(
  source: ListedConnectionSource,
  isNamed: (name: string) => boolean,
  redactor: Redactor,
): BuiltConnections {
  const variables: NeededVariable[] = [];
  const used = source
    .list()
    .filter(({ name }) => isNamed(name))
    .flatMap(({ name }) => source.written(name) ?? [])
    .filter(({ type }) => type !== 'offline' && type !== 'scripted');
  const entries = used.map((connection) => [connection.name, written(connection, redactor, variables)] as const);
  const plain = { comment: () => undefined, isInline: () => false, anchor: () => 'same' };
  return {
    text: entries.length === 0 ? undefined : stringifyYaml(Object.fromEntries(entries), plain),
    variables,
    packages: [...new Set(used.flatMap(connectionPackages))],
  };
}

/** As connections.yaml has it. What its secrets are is left to variables, which are added to `variables`. */
function written(connection: Connection, redactor: Redactor, variables: NeededVariable[]): JsonObject {
  const { name, type } = connection;
  const byVariable = (key: string, value: string): string => {
    const [, named] = /^\$\{env:\s*([^}]+?)\s*\}$/.exec(value) ?? [];
    const referred = named ?? ownVariable(overrideName(name, key), variables);
    variables.push({ name: referred, about: `${key} of the connection ${name}` });
    return `\${env:${referred}}`;
  };
  const fields = (values: Connection['configs'], isSecret: boolean): JsonObject =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        isSecret || /\$\{env:/.test(value) || redactor.sharedValue(value) !== value ? byVariable(key, value) : value,
      ]),
    );
  const configs = fields(connection.configs, false);
  const secrets = fields(connection.secrets, true);
  return type === 'custom' ? { type, configs, secrets } : { type, ...configs, ...secrets };
}

/** A name that shells can set, which none of the others has: that of `my-models` is no name of a variable, and may be that of `my_models`. */
function ownVariable(wanted: string, others: readonly NeededVariable[]): string {
  const name = wanted.replaceAll(/[^A-Z0-9_]/g, '_').replace(/^(?=\d)/, '_');
  const names = others.map((one) => one.name);
  let own = name;
  for (let count = 2; names.includes(own); count += 1) own = `${name}_${count}`;
  return own;
}
