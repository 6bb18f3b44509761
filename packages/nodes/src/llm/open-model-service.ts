import type { Connection, ModelService } from '@unroll/engine';
import type { OpenService } from './find-service.ts';

/** Opens the model behind a connection of one type. */
export type ModelOpener = (connection: Connection) => Promise<ModelService>;

/** What opens the models of a type of connection; a type that is not here is no model. Packages are loaded only when used. */
export const modelServices: Readonly<Record<string, ModelOpener>> = {
  azure_open_ai: openOpenAi,
  open_ai: openOpenAi,
  serverless: openOpenAi,
  async amazon_bedrock(connection) {
    const { converseService } = await import('../converse/converse-service.ts');
    return converseService(connection);
  },
  async llama_cpp(connection) {
    const { llamaService } = await import('../llama/llama-service.ts');
    return llamaService(connection, process.cwd());
  },
  async offline() {
    const { offlineService } = await import('../offline/offline-service.ts');
    return offlineService();
  },
  async scripted({ configs }) {
    const { scriptedService } = await import('../scripted/scripted-service.ts');
    const { readScript } = await import('../scripted/read-script.ts');
    return scriptedService(readScript(configs['file'] ?? ''));
  },
};

/** Opens models by a table of openers, by type of connection; undefined for a connection that is no model. */
export function serviceOpener(openers: Readonly<Record<string, ModelOpener>>): OpenService {
  return async (connection) =>
    Object.hasOwn(openers, connection.type) ? openers[connection.type]?.(connection) : undefined;
}

export const openModelService: OpenService = serviceOpener(modelServices);

async function openOpenAi(connection: Connection): Promise<ModelService> {
  const { openAiService } = await import('../openai/openai-service.ts');
  return openAiService(connection);
}
