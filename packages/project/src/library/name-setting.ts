import * as z from 'zod';

/** Of a file, a run, a node: an empty one would name the folder, or whatever is there. */
export const name = z.string().min(1, 'must not be empty');
