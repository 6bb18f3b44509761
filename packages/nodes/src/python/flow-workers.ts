import { type FingerprintInputs, type PrepareContext, PrepareError, ScopeSlot } from '@unroll/engine';
import { ObservedReads } from '../observe/observed-reads.ts';
import { partsNow, readPart } from '../observe/parts-now.ts';
import { findPython } from './find-python.ts';
import { noPython } from './python-error.ts';
import { pythonParts } from './python-parts.ts';
import { pythonStandInsOf } from './python-stand-ins.ts';
import { WorkerPool } from './worker-pool.ts';
import { workersWanted, wrongWorkerVariables } from './worker-variables.ts';

/** The Python processes of a flow, and what their code read. */
interface FlowWorkers {
  readonly pool: WorkerPool;
  /** What the code of all workers read. */
  readonly reads: ObservedReads;
  readonly readsNow: ReturnType<typeof partsNow>;
}

/** As the worker's `code_files.py` has it: importing Prompt flow starts programs and asks the network, which is in no node's answer. */
const nodeMaker = 'package:promptflow';

const workersOfFlow = new ScopeSlot<FlowWorkers>('Python workers');

export function poolOf(context: PrepareContext): WorkerPool {
  return workersOf(context).pool;
}

/** Started when first asked for. @throws PrepareError when there is no Python */
export function workersOf(context: PrepareContext): FlowWorkers {
  return context.flow.kept(workersOfFlow, () => openWorkers(context));
}

function openWorkers(context: PrepareContext): FlowWorkers {
  const { files, environment } = context;
  const variables = { ...process.env, ...environment };
  const python = findPython(files.folder, variables);
  if (!python.ok) throw new PrepareError(noPython(python.tried));
  const [message] = wrongWorkerVariables(variables);
  if (message !== undefined) throw new PrepareError({ code: 'EnvironmentVariableInvalid', message, retryable: false });
  const reads = new ObservedReads(readPart(context, variables), nodeMaker);
  const settings = {
    command: python.command,
    folder: files.folder,
    environment,
    standIns: pythonStandInsOf(context),
    onSeen: (sightings: Parameters<ObservedReads['add']>[0]) => reads.add(sightings),
  };
  const pool = new WorkerPool(settings, workersWanted(variables));
  const readsNow = partsNow(context, variables, async (name) => {
    const reply = await pool.packageOf(name);
    return reply.ok ? (reply.value as readonly string[])[1] : undefined;
  });
  context.onClose(() => pool.close());
  return { pool, reads, readsNow };
}

/** What Python files of the flow, and all that they import, have read so far. */
export function pythonReads(context: PrepareContext, paths: readonly string[]): FingerprintInputs {
  return workersOf(context).reads.readsOf(paths);
}

/** What parts that Python code read in an earlier run are now. */
export function pythonReadsNow(context: PrepareContext): FlowWorkers['readsNow'] {
  return workersOf(context).readsNow;
}

/** What a Python file is made of, told by a worker of the flow. */
export function pythonFileParts(path: string, context: PrepareContext): Promise<FingerprintInputs> {
  return pythonParts(poolOf(context), path, context);
}
