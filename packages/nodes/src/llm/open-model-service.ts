import type { Connection, ModelService } from '@unroll/engine';

const wireTypes = ['azure_open_ai', 'open_ai', 'serverless'];

/** The model behind a connection; undefined where the connection is no model. Packages are loaded only when used. */
export async function openModelService(connection: Connection): Promise<ModelService | undefined> {
  if (connection.type === 'offline') {
    const { offlineService } = await import('../offline/offline-service.ts');
    return offlineService();
  }
  if (connection.type === 'scripted') {
    const { scriptedService } = await import('../scripted/scripted-service.ts');
    const { readScript } = await import('../scripted/read-script.ts');
    return scriptedService(readScript(connection.configs['file'] ?? ''));
  }
  if (connection.type === 'amazon_bedrock') {
    const { converseService } = await import('../converse/converse-service.ts');
    return converseService(connection);
  }
  if (connection.type === 'llama_cpp') {
    const { llamaService } = await import('../llama/llama-service.ts');
    return llamaService(connection, process.cwd());
  }
  if (!wireTypes.includes(connection.type)) return undefined;
  const { openAiService } = await import('../openai/openai-service.ts');
  return openAiService(connection);
}
