import { untimed } from '../database/briefly.ts';

/**
 * Begins a transaction that reads one moment, page after page in the order of a key. Of a table that is being filled PostgreSQL has no
 * figures yet: it would sort all the rest for every page, where the key's index gives the next ones.
 */
export const oneMoment = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${untimed}; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off`;
