export { type AzureSearchServer, startAzureSearchServer } from './azure-search-server.ts';
export { type ConverseAnswer, type ConverseServer, startConverseServer } from './converse-server.ts';
export { type HttpReply, type HttpRequestSeen, type HttpServer, startHttpServer } from './http-server.ts';
export { type LambdaAnswer, type LambdaServer, type ReceivedInvocation, startLambdaServer } from './lambda-server.ts';
export type { OpenAiServer, ReceivedRequest, ServerReply } from './openai-server.ts';
export { startOpenAiServer } from './openai-server.ts';
export { events, json, type RawAnswer, type RawServer, startRawServer } from './raw-server.ts';
export { type SelfSigned, selfSigned } from './self-signed.ts';
export { type StsRole, type StsServer, startStsServer } from './sts-server.ts';
