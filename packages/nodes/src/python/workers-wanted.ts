/** `UNROLL_PYTHON_WORKERS`, or Prompt flow's name for the same. */
export function workersWanted({ UNROLL_PYTHON_WORKERS, PF_WORKER_COUNT }: NodeJS.ProcessEnv): number | undefined {
  const wanted = Number.parseInt(UNROLL_PYTHON_WORKERS ?? PF_WORKER_COUNT ?? '', 10);
  return wanted >= 1 ? wanted : undefined;
}
