import type { Budget, DataEncoding, DataFormat, JsonObject, RowPace } from '@unroll/engine';
import type { FlowSettings, Limit } from '../flows/flow-settings.ts';
import type { System } from '../host/project-host.ts';
import { bulkVariable } from './bulk-variables.ts';

/** What a run over data is asked to do. */
export interface BulkSettings extends Omit<FlowSettings, 'only' | 'given'> {
  /** As given, seen from the project's folder. */
  readonly flow?: string;
  /** A file, a folder, or `-` for the host's standard input. */
  readonly data?: string;
  /** In place of the extension of the data's files. */
  readonly dataFormat?: DataFormat;
  /** In place of what the bytes of the data's files say. */
  readonly encoding?: DataEncoding;
  /** An earlier run whose inputs and outputs are the sets `run.inputs` and `run.outputs`. */
  readonly run?: string;
  readonly name?: string;
  /** Line numbers from 0 as `0-9,15`. */
  readonly rows?: string;
  /** So many rows taken at random; the same ones for the same seed. */
  readonly sample?: number;
  readonly seed: number;
  readonly repeat: number;
  readonly concurrency: number;
  /** In place of it: whoever holds it can make the run slower and faster. */
  readonly pace?: RowPace;
  readonly limitRpm: Limit;
  readonly limitTpm: Limit;
  /** Calls of a connection under way at the same time. */
  readonly limitCalls?: Limit;
  readonly nodeTimeoutMs?: number;
  readonly rowTimeoutMs: number;
  /** Of the whole run: rows in flight fail once it is over. */
  readonly timeoutMs?: number;
  readonly budget?: Budget;
  readonly rowBudget?: Budget;
  /** Absent: each input takes the column of its name. */
  readonly columnMapping?: JsonObject;
  /** It is written in a file, under `column_mapping`, and not given with the command. */
  readonly isMappingInFile?: boolean;
  /** A column of an input's name comes before the input's default, as in evaluations and, where it is not said, in flows that are no Prompt flow. */
  readonly columnsFirst?: boolean;
  /** Whoever asks has told already which input no row has a column for, where one is called nearly so. */
  readonly areColumnsReported?: boolean;
  readonly init: JsonObject;
  readonly variant?: string;
  readonly connectionsFile?: string;
  /** Nodes whose outputs are given to the run. */
  readonly oracle?: readonly string[];
  readonly tags?: JsonObject;
  readonly displayName?: string;
  readonly description?: string;
  /** Each row is on the disk before the next is begun. */
  readonly durable?: boolean;
}

const defaultConcurrency = 8;
const defaultRowTimeoutSeconds = 600;

/** Settings where nothing is asked for; Prompt flow's variables are heeded where they hold a number, as Prompt flow does. */
export function defaultBulkSettings(system: Pick<System, 'environment'>): BulkSettings {
  const runTimeout = bulkVariable('PF_BATCH_TIMEOUT_SEC', system);
  return {
    seed: 0,
    repeat: 1,
    concurrency: bulkVariable('PF_WORKER_COUNT', system) ?? defaultConcurrency,
    limitRpm: { byConnection: {} },
    limitTpm: { byConnection: {} },
    rowTimeoutMs: (bulkVariable('PF_LINE_TIMEOUT_SEC', system) ?? defaultRowTimeoutSeconds) * 1000,
    ...(runTimeout === undefined ? {} : { timeoutMs: runTimeout * 1000 }),
    init: {},
    environment: {},
    overrides: [],
  };
}
