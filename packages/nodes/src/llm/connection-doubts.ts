import {
  type Connection,
  type ConnectionDoubt,
  type ConnectionSource,
  fallbackConnection,
  fallbackModel,
  type JsonValue,
  type NodeDefinition,
} from '@unroll/engine';
import { connectionTypes } from '../connections/connection-types.ts';
import { missingAddress, missingKey } from '../connections/missing-fields.ts';
import { refusedOffers } from './check-offers.ts';
import { checkOpening } from './check-opening.ts';
import { writtenFallbacks } from './fallbacks.ts';
import { modelServices } from './open-model-service.ts';
import { providerDoubts } from './provider-doubts.ts';

/**
 * What makes it unlikely that the connection of a node answers: no key, or a model that is another connection's, or what its model
 * does not take.
 *
 * @param parameters inputs that go to the API, where they are no variables of the template
 */
export function connectionDoubts(
  node: NodeDefinition,
  connections: ConnectionSource,
  parameters: ReadonlySet<string>,
): readonly ConnectionDoubt[] {
  return [
    ...ownDoubts(node, connections, parameters),
    ...fallbackDoubts(node, connections, parameters),
    ...repeatedFallbacks(node),
  ];
}

function ownDoubts(
  node: NodeDefinition,
  connections: ConnectionSource,
  parameters: ReadonlySet<string>,
): readonly ConnectionDoubt[] {
  const connection = node.connection === undefined ? undefined : connections.find(node.connection);
  if (connection === undefined) return [];
  return [
    ...noModel(connection, ['connection']),
    ...checkOpening(connection, ['connection']),
    ...missingFields(connection, ['connection']),
    ...modelOfStandIn(node, connection),
    ...withoutModel(node, connection, parameters),
    ...withoutResponses(node, connection),
    ...providerDoubts(node, connection, parameters),
    ...(connection.type === 'llama_cpp' ? beyondLlama : refusedOffers)(node, connection, parameters),
  ];
}

/** Connections that stand by are opened with the flow, and asked when they are needed. */
function fallbackDoubts(
  node: NodeDefinition,
  connections: ConnectionSource,
  parameters: ReadonlySet<string>,
): readonly ConnectionDoubt[] {
  return writtenFallbacks(node.settings).flatMap((one, index) => {
    const connection = connections.find(fallbackConnection(one));
    if (connection === undefined) return [];
    const path = ['retry', 'fallback', index];
    const doubts = [
      ...providerDoubts(node, connection, parameters),
      ...(connection.type === 'llama_cpp' ? beyondLlama(node, connection, parameters) : []),
    ];
    return [
      ...noModel(connection, path),
      ...checkOpening(connection, path),
      ...missingFields(connection, path),
      // Nothing of these stops the run before it is asked.
      ...doubts.map(({ message, help }) => ({ message, help, path })),
    ];
  });
}

/** Whoever could not answer is not asked the same again for having another place in the list. */
function repeatedFallbacks(node: NodeDefinition): readonly ConnectionDoubt[] {
  const asked = new Set([JSON.stringify([node.connection, undefined])]);
  const own = ownModel(node);
  return writtenFallbacks(node.settings).flatMap((one, index) => {
    const [name, named] = [fallbackConnection(one), fallbackModel(one)];
    const key = JSON.stringify([name, named === own ? undefined : named]);
    if (!asked.has(key)) {
      asked.add(key);
      return [];
    }
    const message = `connection "${name}" is asked before, for the same model`;
    const help = 'name another connection or model; retry: {times: …} says how often one is asked';
    return [{ message, help, path: ['retry', 'fallback', index] }];
  });
}

function ownModel({ inputs }: NodeDefinition): JsonValue | undefined {
  const written = inputs['model'] ?? inputs['deployment_name'];
  return written?.kind === 'literal' ? written.value : undefined;
}

/** Of a type without models nothing can be opened. */
function noModel({ name, type }: Connection, path: ConnectionDoubt['path']): readonly ConnectionDoubt[] {
  if (!Object.hasOwn(connectionTypes, type) || Object.hasOwn(modelServices, type)) return [];
  const message = `connection "${name}" is of type ${type}, which is no model's`;
  return [{ isCertain: true, message, help: 'name a connection to a model, for instance of type open_ai', path }];
}

/** Without an address or a package nothing can be asked; without a key the service is asked in vain. */
function missingFields(connection: Connection, path: ConnectionDoubt['path']): readonly ConnectionDoubt[] {
  const address = missingAddress(connection);
  const key = missingKey(connection);
  return [
    ...(address === undefined ? [] : [{ ...address, path, isCertain: true as const }]),
    ...(key === undefined ? [] : [{ ...key, path }]),
  ];
}

/** Types that speak OpenAI's wire format, and those that stand in for any model. */
const haveResponses = ['open_ai', 'azure_open_ai', 'serverless', 'offline', 'scripted'];

function withoutResponses({ api }: NodeDefinition, { name, type }: Connection): readonly ConnectionDoubt[] {
  if (api !== 'responses' || haveResponses.includes(type)) return [];
  return [
    {
      message: `connection "${name}" is of type ${type}, which has no Responses API: the model is asked as in a chat`,
      help: 'write api: chat, or name a connection of type open_ai or azure_open_ai',
      path: ['connection'],
    },
  ];
}

/** What `llama-service.ts` refuses. */
function beyondLlama(
  { api, inputs }: NodeDefinition,
  { name }: Connection,
  parameters: ReadonlySet<string>,
): readonly ConnectionDoubt[] {
  const offered = ['tools', 'functions'].filter((one) => parameters.has(one) && one in inputs);
  return [
    ...offered.map(
      (one): ConnectionDoubt => ({
        isCertain: true,
        message: `connection "${name}" (llama_cpp) takes no ${one}`,
        help: 'hold the answer by structured_outputs, or use a connection of type open_ai',
        path: ['inputs', one],
      }),
    ),
    ...(api === 'completion' ? [onlyChats(name)] : []),
  ];
}

function onlyChats(name: string): ConnectionDoubt {
  return {
    isCertain: true,
    message: `connection "${name}" (llama_cpp) answers chats, and no completions`,
    help: 'write api: chat, and the prompt as messages',
    path: ['connection'],
  };
}

const standIn = 'offline';

function modelOfStandIn({ inputs }: NodeDefinition, { name, type }: Connection): readonly ConnectionDoubt[] {
  if (type === standIn || type === 'scripted') return [];
  return ['model', 'deployment_name']
    .filter((key) => inputs[key]?.kind === 'literal' && inputs[key].value === standIn)
    .map((key) => ({
      message: `${key} "${standIn}" is that of the offline stand-in, and connection "${name}" is of type ${type}`,
      help: `write the name of a ${key === 'model' ? 'model' : 'deployment'} that it has`,
      path: ['inputs', key],
    }));
}

/** OpenAI's own client is sent no name then, as Prompt flow sends none; a server of one model may answer all the same. */
function withoutModel(
  { inputs }: NodeDefinition,
  { name, type }: Connection,
  parameters: ReadonlySet<string>,
): readonly ConnectionDoubt[] {
  if (type !== 'open_ai' || !parameters.has('model') || 'model' in inputs) return [];
  const isDeployment = 'deployment_name' in inputs;
  return [
    {
      message: `the node names no model, which connection "${name}" of type ${type} is asked for`,
      help: isDeployment ? 'write "model" in the place of "deployment_name"' : 'add "model" to the inputs of the node',
      path: isDeployment ? ['inputs', 'deployment_name'] : ['connection'],
    },
  ];
}
