from promptflow._stand_in import AssistantDefinition, FilePath, PromptTemplate, Secret
