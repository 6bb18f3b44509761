import type { Budget } from '@unroll/engine';
import type { BulkSettings } from '@unroll/project';
import * as z from 'zod';
import { damagedRun, parsed } from '../record/stored-info.ts';

type Shared =
  | 'variant'
  | 'overrides'
  | 'nodeTimeoutMs'
  | 'limitRpm'
  | 'limitTpm'
  | 'limitCalls'
  | 'rowBudget'
  | 'repeat'
  | 'concurrency'
  | 'rowTimeoutMs';

/** Settings of a run that go to workers; none of them can be read there that may be a secret. */
export interface WorkSettings extends Pick<BulkSettings, Shared> {
  /** Of the whole run. */
  readonly timeoutMs?: number | undefined;
  /** Of the whole run, whoever runs its rows. */
  readonly budget?: Budget | undefined;
  /** Each node is durable before those that read it begin. */
  readonly durableNodes: boolean;
  /** Variables whose value names a connection. */
  readonly environment: Readonly<Record<string, string>>;
  /** Run in this database whose outputs stand in. */
  readonly since?: string | undefined;
  readonly sealed?: SealedSettings | undefined;
  /** Of a request to a server, whose inputs come from strangers; stopped, its row is given up. */
  readonly request?: RequestSettings | undefined;
}

interface RequestSettings {
  readonly allowsPrivateImages: boolean;
}

/** What may be a secret; opened by the key that sealed it. */
export interface SealedSettings {
  /** `EngineKey.id` */
  readonly key: string;
  /** `GivenValues` as JSON, sealed, in base64; absent where there is none. */
  readonly values?: string | undefined;
  /** Whether the rows are sealed too: inputs of theirs are secrets. */
  readonly rows: boolean;
}

/** What is settled about a run beside what its user asked for. */
type SettledWork = Pick<WorkSettings, 'durableNodes' | 'since' | 'sealed' | 'request'>;

/** @param settled with `sealed.values` what nodes are given is there alone */
export function workSettingsOf(settings: BulkSettings, settled: SettledWork): WorkSettings {
  const { overrides, limitRpm, limitTpm, repeat, concurrency, rowTimeoutMs } = settings;
  const { limitCalls, variant, nodeTimeoutMs, budget, rowBudget, timeoutMs } = settings;
  const environment = settled.sealed?.values === undefined ? settings.environment : {};
  return {
    ...{ overrides, environment, limitRpm, limitTpm, repeat, concurrency, rowTimeoutMs, ...settled },
    ...(nodeTimeoutMs === undefined ? {} : { nodeTimeoutMs }),
    ...(limitCalls === undefined ? {} : { limitCalls }),
    ...(rowBudget === undefined ? {} : { rowBudget }),
    ...(variant === undefined ? {} : { variant }),
    budget,
    timeoutMs,
  };
}

const count = z.int().min(1);
const milliseconds = z.number().positive();
const limit = z.object({ each: count.optional(), byConnection: z.record(z.string(), count) });
const budget = z.object({
  tokens: count.optional(),
  cost: z.number().positive().optional(),
  seconds: z.number().positive().optional(),
});

const workSettings = z.object({
  variant: z.string().optional(),
  overrides: z.array(z.object({ node: z.string(), key: z.string(), value: z.string() })),
  environment: z.record(z.string(), z.string()),
  nodeTimeoutMs: milliseconds.optional(),
  limitRpm: limit,
  limitTpm: limit,
  limitCalls: limit.optional(),
  rowBudget: budget.optional(),
  repeat: count,
  concurrency: count,
  rowTimeoutMs: milliseconds,
  timeoutMs: milliseconds.optional(),
  budget: budget.optional(),
  durableNodes: z.boolean(),
  since: z.string().optional(),
  request: z.object({ allowsPrivateImages: z.boolean() }).optional(),
  sealed: z.object({ key: z.string(), values: z.base64().optional(), rows: z.boolean() }).optional(),
});

/**
 * The settings of a run, from its row in the database: whoever may write there may write anything.
 *
 * @throws ProjectFailure where they are not what whoever began the run wrote
 */
export function readWorkSettings(id: string, text: string): WorkSettings {
  const settings = workSettings.safeParse(parsed(text));
  if (settings.success) return settings.data as WorkSettings;
  throw damagedRun(id, 'what it was begun with');
}
