import type { Connection } from '@unroll/engine';

/**
 * Which of Prompt flow's two tools for models a request is made like, `AzureOpenAI` or `OpenAI`: they have other parameters
 * and headers. The service takes both.
 */
export type RequestForm = 'azure' | 'openai';

/** As Prompt flow goes by the class of the connection; the model that stands in offline stands in for Azure's. */
export function requestForm({ type }: Pick<Connection, 'type'>): RequestForm {
  return type === 'azure_open_ai' || type === 'offline' ? 'azure' : 'openai';
}
