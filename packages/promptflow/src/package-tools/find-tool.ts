import type { BuiltInTool } from './built-in-tool.ts';
import { contentSafetyTool } from './content-safety-tool.ts';
import { azureVisionTool, embeddingTool, llmTool, openAiVisionTool, visionTool } from './model-tools.ts';
import { openModelTool } from './open-model-tool.ts';
import { serpApiTool } from './serpapi-tool.ts';

const tools: ReadonlyMap<string, BuiltInTool> = new Map([
  ['promptflow.tools.embedding.embedding', embeddingTool],
  ['promptflow.tools.llm.llm', llmTool],
  ['promptflow.tools.llm_vision.llm_vision', visionTool],
  ['promptflow.tools.aoai_gpt4v.AzureOpenAI.chat', azureVisionTool],
  ['promptflow.tools.openai_gpt4v.OpenAI.chat', openAiVisionTool],
  ['promptflow.tools.serpapi.SerpAPI.search', serpApiTool],
  ['promptflow.tools.azure_content_safety.analyze_text', contentSafetyTool],
  ['promptflow.tools.open_model_llm.OpenModelLLM.call', openModelTool],
]);

/** The tool of that id, or of that old id; undefined where it is none of ours. */
export function findBuiltInTool(id: string): BuiltInTool | undefined {
  return tools.get(id) ?? [...tools.values()].find(({ deprecatedIds = [] }) => deprecatedIds.includes(id));
}
