/** Modules of Prompt flow's own tools, which are done here; flows name them in every model node. */
export const ownModules =
  /^promptflow\.tools(\.(aoai|openai|embedding|serpapi|azure_content_safety|open_model_llm|aoai_gpt4v|openai_gpt4v|llm|llm_vision|common))?$/;
