import type { Budget } from '@unroll/engine';
import type { BulkSettings } from '@unroll/project';

type Shared =
  | 'variant'
  | 'overrides'
  | 'environment'
  | 'nodeTimeoutMs'
  | 'limitRpm'
  | 'limitTpm'
  | 'limitCalls'
  | 'rowBudget'
  | 'repeat'
  | 'concurrency'
  | 'rowTimeoutMs';

/** Settings of a run that go to workers; none of them holds a secret. */
export interface WorkSettings extends Pick<BulkSettings, Shared> {
  /** Of the whole run. */
  readonly timeoutMs?: number | undefined;
  /** Of the whole run, whoever runs its rows. */
  readonly budget?: Budget | undefined;
  /** Each node is durable before those that read it begin. */
  readonly durableNodes: boolean;
}

export function workSettingsOf(settings: BulkSettings, durableNodes: boolean): WorkSettings {
  const { overrides, environment, limitRpm, limitTpm, repeat, concurrency, rowTimeoutMs } = settings;
  const { limitCalls, variant, nodeTimeoutMs, budget, rowBudget, timeoutMs } = settings;
  return {
    ...{ overrides, environment, limitRpm, limitTpm, repeat, concurrency, rowTimeoutMs, durableNodes },
    ...(nodeTimeoutMs === undefined ? {} : { nodeTimeoutMs }),
    ...(limitCalls === undefined ? {} : { limitCalls }),
    ...(rowBudget === undefined ? {} : { rowBudget }),
    ...(variant === undefined ? {} : { variant }),
    budget,
    timeoutMs,
  };
}
