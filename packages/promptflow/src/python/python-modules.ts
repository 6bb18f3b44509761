import { fileURLToPath } from 'node:url';
import type { PythonStandIn } from '@unroll/nodes';

/** Python files that run in the workers of `nodes`: beside this file, and beside the bundle. */
const folder = new URL('./modules/', import.meta.url);

/** What code of a flow imports from `promptflow`, where that is not installed: `promptflow-tracing` alone does not count. */
export const promptFlowModules: PythonStandIn = { folder: fileURLToPath(folder), unless: 'promptflow/_core' };

/** What promptflow_vectordb imports of Azure's runtime, which the package promptflow does not have either. */
const azureRuntime: PythonStandIn = {
  folder: fileURLToPath(new URL('_runtime/', folder)),
  unless: 'promptflow/runtime',
};

export const pythonStandIns: readonly PythonStandIn[] = [promptFlowModules, azureRuntime];

/** The Python file that finds and calls the entry of a flow that is code. */
export const flexEntry = fileURLToPath(new URL('unroll_flex_entry.py', folder));

/** The Python that ends loops in a folder written for Prompt flow; it follows the functions that code of nodes imports. */
export const loopEndLibrary = fileURLToPath(new URL('_written/loop_end.py', folder));
