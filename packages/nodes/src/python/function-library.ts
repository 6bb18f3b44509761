import { fileURLToPath } from 'node:url';

/** The Python file that gives code of flows `function_node`; it needs nothing but Python. */
export const functionLibrary = fileURLToPath(new URL('./worker/library/unroll/functions.py', import.meta.url));
