export type { OpenAiServer, ReceivedRequest, ServerReply } from './openai-server.ts';
export { startOpenAiServer } from './openai-server.ts';
