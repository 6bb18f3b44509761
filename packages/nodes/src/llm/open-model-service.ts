import type { Connection, ModelService } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import { anyProvider, modelProviders } from '../extras/model-providers.ts';
import { answeringAsChat } from './answer-as-chat.ts';
import type { OpenService } from './find-service.ts';

/**
 * Opens the model behind a connection of one type.
 *
 * @param folders where packages that a connection names are looked for, nearest first
 */
export type ModelOpener = (connection: Connection, folders: readonly string[]) => Promise<ModelService>;

/** What opens the models of a type of connection; a type that is not here is no model. Packages are loaded only when used. */
export const modelServices: Readonly<Record<string, ModelOpener>> = {
  ...Object.fromEntries([anyProvider, ...Object.keys(modelProviders)].map((type) => [type, openProvider])),
  azure_open_ai: openOpenAi,
  open_ai: openOpenAi,
  serverless: openOpenAi,
  async amazon_bedrock(connection) {
    const { converseService } = await import('../converse/converse-service.ts');
    return answeringAsChat(await converseService(connection));
  },
  async llama_cpp(connection) {
    const { llamaService } = await import('../llama/llama-service.ts');
    return answeringAsChat(llamaService(connection, process.cwd()));
  },
  async offline() {
    const { offlineService } = await import('../offline/offline-service.ts');
    return answeringAsChat(offlineService());
  },
  async scripted({ configs }) {
    const { scriptedService } = await import('../scripted/scripted-service.ts');
    const { readScript } = await import('../scripted/read-script.ts');
    return scriptedService(readScript(configs['file'] ?? ''));
  },
};

/** Opens models by a table of openers, by type of connection; undefined for a connection that is no model. */
export function serviceOpener(
  openers: Readonly<Record<string, ModelOpener>>,
  folders: readonly string[] = [process.cwd()],
): OpenService {
  return async (connection) => ownValue(openers, connection.type)?.(connection, folders);
}

/** @param folders where packages that a connection names are looked for, nearest first */
export function modelOpener(folders: readonly string[]): OpenService {
  return serviceOpener(modelServices, folders);
}

export const openModelService: OpenService = serviceOpener(modelServices);

async function openProvider(connection: Connection, folders: readonly string[]): Promise<ModelService> {
  const { providerService } = await import('../ai-sdk/provider-service.ts');
  return answeringAsChat(await providerService(connection, folders));
}

async function openOpenAi(connection: Connection): Promise<ModelService> {
  const { openAiService } = await import('../openai/openai-service.ts');
  return openAiService(connection);
}
