export { ConnectionFileError, type ConnectionOptions, connectionSource } from './connections/connection-source.ts';
export { newlineLists, unusedCharacter } from './llm/llm-node-type.ts';
export type { Clock } from './llm/model-gate.ts';
export { openModelService } from './llm/open-model-service.ts';
export { type ChatMessage, type ParsedChat, parseChat } from './llm/parse-chat.ts';
export { lookupNodeType } from './lookup/index.ts';
export { nodeTypes } from './node-types.ts';
export { pythonNodeType } from './python/python-node-type.ts';
export { type ScriptedReply, type ScriptedService, scriptedService } from './scripted/scripted-service.ts';
