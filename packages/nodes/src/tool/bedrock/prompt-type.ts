/** The steps of the chain, as the service calls them. */
export const promptTypes = [
  'PRE_PROCESSING',
  'ORCHESTRATION',
  'KNOWLEDGE_BASE_RESPONSE_GENERATION',
  'POST_PROCESSING',
] as const;
export type PromptType = (typeof promptTypes)[number];
