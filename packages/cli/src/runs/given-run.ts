import type { RunSettings } from '../options/run-options.ts';

/** The run whose outputs stand in: `--since`, unless `--no-cache` leaves it alone. */
export function sinceOf({ since, cache }: Partial<RunSettings>): string | undefined {
  return cache === false ? undefined : since;
}
