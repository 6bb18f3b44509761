import type { Connection } from '@unroll/engine';
import { isProviderType } from '../extras/model-providers.ts';

/**
 * Which of Prompt flow's two tools for models a request is made like, `AzureOpenAI` or `OpenAI`: they have other parameters
 * and headers. The service takes both. `plain` is like neither: what the author wrote is sent, and nothing beside it.
 */
export type RequestForm = 'azure' | 'openai' | 'plain';

/** As Prompt flow goes by the class of the connection; the model that stands in offline stands in for Azure's. */
export function requestForm({ type }: Pick<Connection, 'type'>): RequestForm {
  if (isProviderType(type)) return 'plain';
  return type === 'azure_open_ai' || type === 'offline' ? 'azure' : 'openai';
}
