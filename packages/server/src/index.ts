export type { FlowMistakes } from './answers/edited-flows.ts';
export { inputsSchema, outputsSchema } from './flow-routes/field-schema.ts';
export type { ServerSettings } from './http/server-settings.ts';
export { type Beside, type FlowServer, startServer } from './http/start-server.ts';
export { type StudioServer, type StudioServerSettings, startStudio } from './http/start-studio.ts';
