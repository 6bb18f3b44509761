/** The least with which a worker starts. */
const leastMemory = 32 * 2 ** 20;

const units: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** What is wrong with the variables that say how many Python workers a flow has and how much memory each may take, for `check` and run alike. */
export function wrongWorkerVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const { UNROLL_PYTHON_WORKERS: workers = '', UNROLL_PYTHON_MEMORY: memory = '' } = environment;
  return [
    ...(workers === '' || wholeNumber(workers) !== undefined
      ? []
      : [`UNROLL_PYTHON_WORKERS is ${JSON.stringify(workers)}, not a whole number of 1 or more`]),
    ...(memory === '' || bytesOf(memory) >= leastMemory
      ? []
      : [`UNROLL_PYTHON_MEMORY is ${JSON.stringify(memory)}, not a size of 32MB or more such as 512MB or 4GB`]),
  ];
}

/** `UNROLL_PYTHON_WORKERS`, or Prompt flow's name for the same, which is passed over where it is no number, as there. */
export function workersWanted({ UNROLL_PYTHON_WORKERS: own, PF_WORKER_COUNT }: NodeJS.ProcessEnv): number | undefined {
  return wholeNumber(own === undefined || own === '' ? (PF_WORKER_COUNT ?? '') : own);
}

function wholeNumber(written: string): number | undefined {
  const number = /^\s*\d+\s*$/.test(written) ? Number(written) : 0;
  return number >= 1 ? number : undefined;
}

/** As the worker's memory.py reads it; 0 where it is no size. */
function bytesOf(written: string): number {
  const [, count = '0', unit = ''] = /^\s*(\d+)\s*([KMG]?)i?B?\s*$/i.exec(written) ?? [];
  return Number(count) * (units[unit.toUpperCase()] ?? 0);
}
