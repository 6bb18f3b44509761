export {
  type CallJournal,
  Cassette,
  type CassetteContent,
  type CassetteDrift,
  CassetteError,
  type CassetteJournal,
  type CassetteMode,
  type JournaledCall,
  journalLine,
  type MissedCall,
  type NearCall,
  readCassette,
  readJournal,
  replayConnections,
  stringifyCassette,
} from './cassette/index.ts';
export { importsFromElsewhere } from './code/imports-from-elsewhere.ts';
export { takenName, unknownKeys, unreadReference } from './connections/check-connection.ts';
export { connectionPackages } from './connections/connection-extras.ts';
export { readConnectionFile } from './connections/connection-file.ts';
export {
  ConnectionFileError,
  type ConnectionOptions,
  connectionSource,
  type ListedConnection,
  type ListedConnectionSource,
  overrideName,
} from './connections/connection-source.ts';
export { authModes, connectionTypes, typeHelp, typeNameOf } from './connections/connection-types.ts';
export { type ConnectionStore, type KeptConnection, rotateKey } from './connections/store/connection-store.ts';
export { keyPlaces, projectStore, storesOf, userStore } from './connections/store/store-places.ts';
export { type ConnectionTest, testConnection } from './connections/test-connection.ts';
export { type FeatureTest, testFeatures } from './connections/test-features.ts';
export { readConnection } from './connections/written-connection.ts';
export { imageFetcher } from './http/image-fetcher.ts';
export { askedPauseMs } from './llm/asked-wait.ts';
export { type CallLimit, type CallPermit, type CallPermits, type PermitsOf, tokensOf } from './llm/call-permits.ts';
export {
  type Clock,
  ConcurrencyLimiter,
  ConcurrencyLimiters,
  systemClock,
  type ThrottleState,
} from './llm/concurrency-limiter.ts';
export { limitServices } from './llm/limit-services.ts';
export { modelOpener, openModelService } from './llm/open-model-service.ts';
export { type ChatMessage, type ParsedChat, parseChat } from './llm/parse-chat.ts';
export { permitsOfProcess } from './llm/permits-of-process.ts';
export { lookupNodeType } from './lookup/lookup-node-type.ts';
export type { AddedNodeTypes, NodeServices, NodeTypeExtension, PackageTools } from './node-type-extension.ts';
export { type NodeTypeOptions, nodeTypes } from './node-types.ts';
export { cutAnswerText, emptyAnswerText } from './openai/end-warnings.ts';
export { unusedCharacter } from './prompt/guarded-text.ts';
export { type FoundPython, findMachinePython, findPython } from './python/find-python.ts';
export { type FlowPython, flowPython } from './python/flow-python.ts';
export { pythonNodeType } from './python/python-node-type.ts';
export type { PythonStandIn } from './python/python-stand-ins.ts';
export { type SetUp, type SetUpOptions, setUpPython } from './python/set-up-python.ts';
export { type ScriptedReply, type ScriptedService, scriptedService } from './scripted/scripted-service.ts';
