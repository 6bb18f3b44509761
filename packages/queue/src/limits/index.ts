export { openSharedLimits, type SharedLimits } from './shared-limits.ts';
export { readPaces } from './stored-pace.ts';
