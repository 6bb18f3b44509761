import {
  type Connection,
  type ModelService,
  type NodeDefinition,
  type PrepareContext,
  PrepareError,
} from '@unroll/engine';
import { connectionClass, requireConnection } from '../connections/find-connection.ts';
import { userError } from '../errors/tool-error.ts';
import type { Api } from './api-parameters.ts';
import { type RequestForm, requestForm } from './request-form.ts';

/** The service behind a connection; undefined where a connection of that type is no model. */
export type OpenService = (connection: Connection) => Promise<ModelService | undefined>;

/** Nodes on one connection share its service: its open sockets, and the place in its script. */
export function openOnce(open: OpenService): OpenService {
  const services = new Map<string, ReturnType<OpenService>>();
  return (connection) => {
    const key = JSON.stringify(connection);
    const opened = services.get(key) ?? open(connection);
    services.set(key, opened);
    return opened;
  };
}

export interface FoundService {
  readonly service: ModelService;
  readonly form: RequestForm;
  /** Of the connection. */
  readonly type: string;
}

/** @throws PrepareError when the node names no connection, or none to a model */
export function findService(
  node: NodeDefinition,
  context: PrepareContext,
  openService: OpenService,
): Promise<FoundService> {
  return openNamed(node.connection, node, context, openService);
}

/** As `findService`, for a connection of that name. */
export async function openNamed(
  name: string | undefined,
  node: NodeDefinition,
  context: PrepareContext,
  openService: OpenService,
): Promise<FoundService> {
  const connection = requireConnection(name, node.name, context.connections);
  const service = await openService(connection);
  if (service !== undefined) return { service, form: requestForm(connection), type: connection.type };
  const message = `Connection type ${connectionClass(connection)} is not supported for LLM.`;
  throw new PrepareError(userError('InvalidConnectionType', message));
}

export const toolClass: Readonly<Record<RequestForm, string>> = {
  azure: 'AzureOpenAI',
  openai: 'OpenAI',
  plain: 'OpenAI',
};

export const apis: readonly Api[] = ['chat', 'completion', 'embedding', 'responses'];

export function apiOf({ api }: NodeDefinition): Api | undefined {
  return apis.find((one) => one === api);
}

/** @throws PrepareError when the node names no API, or one there is not */
export function requireApi(node: NodeDefinition, form: RequestForm): Api {
  const api = apiOf(node);
  if (api !== undefined) return api;
  const message = `The API '${toolClass[form]}.${node.api ?? 'None'}' is not found.`;
  throw new PrepareError(userError('APINotFound', message));
}
