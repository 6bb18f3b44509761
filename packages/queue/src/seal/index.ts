export { type EngineKey, engineKeyOf, requireKey } from './engine-key.ts';
