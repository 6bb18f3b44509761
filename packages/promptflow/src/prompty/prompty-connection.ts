import {
  type Connection,
  type ConnectionDoubt,
  type ConnectionSource,
  isMapping,
  type JsonObject,
  type JsonValue,
  type NodeError,
  PrepareError,
  type Prompty,
} from '@unroll/engine';
import { readConnection, unreadReference } from '@unroll/nodes';
import { requireConnection, settingDoubts } from '@unroll/nodes/building-blocks';

type Environment = Readonly<Record<string, string | undefined>>;

/** Keys that name the model and not where it is. */
const modelKeys = ['azure_deployment', 'model', 'type', 'connection'];

/**
 * The connection a prompty's model configuration is: one of a name, one written out in it, or, where it says only which model,
 * the one the environment describes; an endpoint, or a key of OpenAI, that one written out leaves out is that one's.
 *
 * @throws PrepareError when there is none
 */
export function promptyConnection(prompty: Prompty, node: string, connections: ConnectionSource): Connection {
  const { configuration } = prompty;
  const { connection: named } = configuration;
  if (typeof named === 'string') return requireConnection(named, node, connections);
  const given = givenFields(configuration);
  const [unread] = unreadFields(configuration);
  if (unread !== undefined) throw new PrepareError(refuse('ConnectionError', unread.message));
  const isAzure = asksAzure(configuration);
  if (given.length === 0) return fromEnvironment(isAzure, node, connections);
  const fields = completed(Object.fromEntries(given), isAzure, connections);
  const { azure_endpoint: endpoint, ...rest } = fields;
  const type = isAzure ? 'azure_open_ai' : 'open_ai';
  const identity = isAzure && fields['api_key'] === undefined ? { auth_mode: 'meid_token' } : {};
  const base = endpoint === undefined ? {} : { api_base: endpoint };
  const connection = readConnection(`${node} (model configuration)`, { type, ...identity, ...base, ...rest });
  if (connection === undefined) throw new Error(`bug: no connection type ${type}`);
  requirePlace(connection);
  return connection;
}

/** The configuration's own fields; an Azure endpoint, or a key of OpenAI, that it leaves out is the environment's, as for the providers' libraries. */
function completed(fields: JsonObject, isAzure: boolean, connections: ConnectionSource): JsonObject {
  const field = isAzure ? 'azure_endpoint' : 'api_key';
  // A key of the environment is not sent to a server that the file names: it may be anyone's.
  if (fields[field] !== undefined || (!isAzure && fields['base_url'] !== undefined)) return fields;
  const found = connections.find(environmentName(isAzure));
  const value = isAzure ? found?.configs['api_base'] : found?.secrets['api_key'];
  return value === undefined ? fields : { ...fields, [field]: value };
}

/** What the configuration says of where the model is, and how it is asked. */
function givenFields(configuration: JsonObject): readonly (readonly [key: string, value: JsonValue])[] {
  return Object.entries(configuration).filter(([key, value]) => !modelKeys.includes(key) && (value ?? '') !== '');
}

function unreadFields(configuration: JsonObject) {
  return givenFields(configuration).flatMap(([key, value]) => {
    const unread = unreadReference(key, value);
    return unread === undefined ? [] : [{ key, ...unread }];
  });
}

const writeIt = 'write it there, as a variable of the environment: ${env:NAME}';

/** Variables in a form that is not read, and that a model configuration does not say where its model is; a connection that it names is looked for as any other. */
export function connectionDoubts(
  prompty: Prompty,
  node: string,
  connections: ConnectionSource,
): readonly ConnectionDoubt[] {
  const { configuration, document } = prompty;
  if (typeof configuration['connection'] === 'string') return [];
  const unread = unreadFields(configuration).map(({ key, message, help }) => {
    const span = document.locate(['model', 'configuration', key]);
    return { isCertain: true as const, message, help, path: [], ...(span === undefined ? {} : { span }) };
  });
  if (unread.length > 0) return unread;
  const isAzure = asksAzure(configuration);
  if (givenFields(configuration).length === 0)
    return connections.find(environmentName(isAzure)) === undefined
      ? [{ isCertain: true, ...placeNotSaid(isAzure, node), path: ['connection'] }]
      : [];
  try {
    promptyConnection(prompty, node, connections);
    return [];
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    return [{ isCertain: true, message: error.message, help: writeIt, path: ['connection'] }];
  }
}

/** Parameters that the model's service has no place for; one that holds a variable is not known here. */
export function parameterDoubts(
  prompty: Prompty,
  node: string,
  connections: ConnectionSource,
): readonly ConnectionDoubt[] {
  const { parameters, document } = prompty;
  const known = Object.entries(parameters).filter(([, value]) => typeof value !== 'string' || !value.includes('${'));
  try {
    const connection = promptyConnection(prompty, node, connections);
    return settingDoubts(Object.fromEntries(known), connection).map(({ path, ...doubt }) => {
      const span = document.locate(['model', 'parameters', String(path.at(-1))]);
      return { ...doubt, path: [], ...(span === undefined ? {} : { span }) };
    });
  } catch (error) {
    if (error instanceof PrepareError) return [];
    throw error;
  }
}

/** An Azure endpoint, or the key of OpenAI; a server of one's own may ask for no key. */
function requirePlace({ type, configs, secrets }: Connection): void {
  if (type === 'azure_open_ai' && (configs['api_base'] ?? '') === '') throw new PrepareError(noEndpoint());
  const base = configs['base_url'] ?? '';
  if (type === 'open_ai' && (base === '' || base === '_') && (secrets['api_key'] ?? '') === '')
    throw new PrepareError(noKey());
}

/** The model or deployment: of the configuration, or of the parameters as early prompties have it. */
export function promptyModel({ configuration, parameters }: Prompty): JsonValue | undefined {
  return (
    configuration['azure_deployment'] ?? configuration['model'] ?? parameters['deployment_name'] ?? parameters['model']
  );
}

function asksAzure(configuration: JsonObject): boolean {
  return String(configuration['type'] ?? 'azure_openai').startsWith('azure');
}

/** The connection that variables of the environment make. */
function environmentName(isAzure: boolean): string {
  return isAzure ? 'azure_open_ai_connection' : 'open_ai_connection';
}

function fromEnvironment(isAzure: boolean, node: string, connections: ConnectionSource): Connection {
  const found = connections.find(environmentName(isAzure));
  if (found !== undefined) return found;
  const { message, help } = placeNotSaid(isAzure, node);
  throw new PrepareError(refuse('ConnectionNotFoundError', `${message}: ${help}`));
}

function placeNotSaid(isAzure: boolean, node: string): { readonly message: string; readonly help: string } {
  const variables = isAzure ? 'AZURE_OPENAI_ENDPOINT and AZURE_OPENAI_API_KEY' : 'OPENAI_API_KEY';
  return {
    message: `the model configuration of ${node} does not say where its model is`,
    help: `set ${variables}, or write connection: NAME; for one run, --connections ${node}.connection=NAME`,
  };
}

/** A prompty whose configuration and parameters hold variables for `${env:NAME}`. @throws PrepareError when one is not set */
export function withVariables(prompty: Prompty, environment: Environment): Prompty {
  const { configuration, parameters } = prompty;
  return {
    ...prompty,
    configuration: resolveVariables(configuration, environment) as JsonObject,
    parameters: resolveVariables(parameters, environment) as JsonObject,
  };
}

function resolveVariables(value: JsonValue, environment: Environment): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => resolveVariables(item, environment));
  if (!isMapping(value)) return resolveVariable(value, environment);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolveVariables(one, environment)]));
}

const reference = /^\$\{env:(.*)\}$/;

/** `${env:NAME}` replaced by the variable. @throws PrepareError when it is not set */
export function resolveVariable(value: JsonValue, environment: Environment): JsonValue {
  const [, variable] = typeof value === 'string' ? (reference.exec(value) ?? []) : [];
  if (variable === undefined) return value;
  const found = environment[variable.trim()];
  if (found !== undefined) return found;
  throw new PrepareError(
    refuse('EnvironmentVariableNotFound', `Environment variable ${variable.trim()} is not found.`),
  );
}

function noKey(): NodeError {
  return refuse('ConnectionError', 'the model configuration has no api_key');
}

function noEndpoint(): NodeError {
  return refuse('ConnectionError', 'the model configuration has no azure_endpoint');
}

function refuse(code: string, message: string): NodeError {
  return { code, message, retryable: false };
}
