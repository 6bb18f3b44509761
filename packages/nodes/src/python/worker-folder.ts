/** Where the worker's Python files are: beside this file, and beside the bundle. */
export const workerFolder = new URL('./worker/', import.meta.url);
