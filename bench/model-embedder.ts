import type { Embedder } from '../packages/engine/src/index.ts';
import { serviceEmbedder } from '../packages/nodes/src/embedders/service-embedder.ts';
import { systemClock } from '../packages/nodes/src/llm/concurrency-limiter.ts';
import { openAiService } from '../packages/nodes/src/openai/openai-service.ts';

/** @param base_url of a service that speaks OpenAI's wire format: `http://127.0.0.1:PORT/v1` */
export async function modelEmbedder(base_url: string): Promise<Embedder> {
  const connection = { name: 'embeddings', type: 'open_ai', configs: { base_url }, secrets: { api_key: 'none' } };
  return serviceEmbedder(await openAiService(connection), { model: 'embeddings' }, systemClock);
}
