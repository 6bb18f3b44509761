import type { Plan, RunInfo, RunnableFlow } from '@unroll/engine';
import { type FoundFlow, findFlow } from '../flows/find-flow.ts';
import type { CassetteSettings } from '../flows/flow-settings.ts';
import { openForRun } from '../flows/open-for-run.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { newRunInfo } from '../records/record-run.ts';
import { bulkRecordSettings } from './bulk-record.ts';
import { type BulkRows, openBulkRows } from './bulk-rows.ts';
import type { BulkSettings } from './bulk-settings.ts';

/** A run over data that is run elsewhere: its flow as it is ready here, its rows, and what its record says of it. */
export interface DistantBulk {
  readonly flow: RunnableFlow;
  readonly found: FoundFlow;
  readonly settings: BulkSettings;
  readonly rows: BulkRows;
  readonly info: RunInfo;
}

/** Of a run over data that is run elsewhere. */
export interface DistantSettings {
  /** Whether what may be a secret gets there without being read on its way. */
  readonly keepsSecrets: boolean;
}

/**
 * Makes a run over data ready to be run elsewhere, and closes everything when it was handed over. Mistakes of the flow and of its
 * data are found here, before anything leaves this machine. Outputs of `since` are taken where its rows run.
 *
 * @throws ProjectFailure when there is no such flow or data, or what was given does not leave this machine
 */
export async function withDistantBulk<T>(
  settings: BulkSettings,
  { keepsSecrets }: DistantSettings,
  host: ProjectHost,
  work: (bulk: DistantBulk) => Promise<T>,
): Promise<T> {
  refuseRecording(settings);
  if (!keepsSecrets) refuseValues(settings);
  const found = findFlow(settings.flow, host);
  const { since: _, ...ofFlow } = settings;
  const opened = await openForRun(found, { ...ofFlow, cassette: sharedCassette(settings) }, host);
  await using flow = opened.flow;
  if (!keepsSecrets) refuseSecretInputs(flow.plan);
  const rows = await openBulkRows(flow.plan, settings, host);
  const info = newRunInfo(flow, found, bulkRecordSettings(settings, rows, host), host);
  if (info.options?.['redacted'] === true && !keepsSecrets) throw secretSettings();
  return await work({ flow, found, settings, rows, info });
}

/** @throws ProjectFailure for what may be a secret, where nothing keeps it from being read on its way */
export function refuseUnsealed(given: Pick<BulkSettings, 'environment' | 'init'>, plan: Plan): void {
  refuseValues(given);
  refuseSecretInputs(plan);
}

function sharedCassette({ cassette }: BulkSettings): CassetteSettings | undefined {
  return cassette !== undefined && 'replay' in cassette ? { ...cassette, isShared: true } : undefined;
}

/** Each worker would write a file of its own, of the calls that it happened to make. */
function refuseRecording({ cassette }: BulkSettings): void {
  if (cassette === undefined || 'replay' in cassette) return;
  throw new ProjectFailure('a cassette is recorded by one process, and workers are many', {
    help: 'Record in process, without --engine; a run on workers is answered from it by --replay.',
  });
}

const sealHelp = 'FLOW_ENGINE_KEY, the same here and where the workers run, seals it (docs/engine.md#secrets).';

/** What may be a secret does not go where others can read it. */
function refuseValues({ environment, init }: Pick<BulkSettings, 'environment' | 'init'>): void {
  const values = Object.entries(environment).flatMap(([name, value]) => (isReference(value) ? [] : [name]));
  const [variable] = values;
  if (variable !== undefined) {
    throw new ProjectFailure(`the value of ${values.join(', ')} does not go to workers as it is: it may be a secret`, {
      help: `${sealHelp} Or name a connection: --env ${variable}='\${connection.key}', or set ${variable} where the workers run.`,
    });
  }
  if (Object.keys(init).length > 0) {
    throw new ProjectFailure(
      'arguments of a class that is a flow (--init) do not go to workers as they are: one may be a secret',
      { help: sealHelp },
    );
  }
}

function refuseSecretInputs({ inputs }: Plan): void {
  const secret = inputs.find(({ type }) => type === 'secret');
  if (secret === undefined) return;
  throw new ProjectFailure(`the input "${secret.name}" is a secret, and does not go to workers as it is`, {
    help: `${sealHelp} Or take it from a connection, which each worker has for itself.`,
  });
}

function isReference(value: string): boolean {
  return /^\$\{[^.{}]+\.[^.{}]+\}$/.test(value);
}

function secretSettings(): ProjectFailure {
  return new ProjectFailure('a setting of the run holds a secret, and does not go to workers as it is', {
    help: `${sealHelp} Or take it from a connection, which each worker has for itself.`,
  });
}
