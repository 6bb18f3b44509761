import type { RunReader } from '@unroll/engine';
import { recordView } from '../bulk/record-view.ts';
import { wasImported } from '../bulk/recorded-settings.ts';
import { recordedBudget } from '../bulk/run-budget.ts';
import type { ProjectHost } from '../host/project-host.ts';
import type { BulkStatus } from '../host/run-outcome.ts';
import type { ProgressView } from '../host/run-progress.ts';
import { recordedPrices } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { recordedStatus } from './run-summary.ts';

/** How a recorded run over data stands. */
export interface RunStanding {
  readonly status: BulkStatus;
  readonly view: ProgressView;
  /** What a run that stopped for its budget spent of it. */
  readonly budget: string | undefined;
  /** A run of Prompt flow's: it cannot go on. */
  readonly isImported: boolean;
}

/** @param place of the record that `store` reads */
export async function runStanding(store: RunReader, place: string, host: ProjectHost): Promise<RunStanding> {
  const prices = findPrices(host);
  const status = await recordedStatus(place, store, host);
  return {
    status,
    view: await recordView(store, recordedPrices(store.info, prices)),
    budget: status === 'Canceled' ? await recordedBudget(store, prices) : undefined,
    isImported: wasImported(store.info),
  };
}
