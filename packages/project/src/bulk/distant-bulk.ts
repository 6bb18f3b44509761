import type { RunInfo, RunnableFlow } from '@unroll/engine';
import { type FoundFlow, findFlow } from '../flows/find-flow.ts';
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

/**
 * Makes a run over data ready to be run elsewhere, and closes everything when it was handed over. Mistakes of the flow and of its
 * data are found here, before anything leaves this machine.
 *
 * @throws ProjectFailure when there is no such flow or data, or what was given does not leave this machine
 */
export async function withDistantBulk<T>(
  settings: BulkSettings,
  host: ProjectHost,
  work: (bulk: DistantBulk) => Promise<T>,
): Promise<T> {
  refuseKept(settings);
  const found = findFlow(settings.flow, host);
  const opened = await openForRun(found, settings, host);
  await using flow = opened.flow;
  refuseSecret(flow);
  const rows = await openBulkRows(flow.plan, settings, host);
  const info = newRunInfo(flow, found, bulkRecordSettings(settings, rows), host);
  if (info.options?.['redacted'] === true) throw secretSettings();
  return await work({ flow, found, settings, rows, info });
}

/** What of a run stays on the machine where it is: values of variables, and files that are no part of the flow. */
function refuseKept({ environment, init, cassette, since }: BulkSettings): void {
  const values = Object.entries(environment).flatMap(([name, value]) => (isReference(value) ? [] : [name]));
  const [variable] = values;
  if (variable !== undefined) {
    throw new ProjectFailure(`the value of ${values.join(', ')} does not go to workers: it may be a secret`, {
      help: `Set ${variable} where the workers run, or name a connection: --env ${variable}='\${connection.key}'`,
    });
  }
  if (Object.keys(init).length > 0) {
    throw new ProjectFailure('arguments of a class that is a flow (--init) do not go to workers: one may be a secret');
  }
  if (cassette !== undefined) {
    throw new ProjectFailure('a cassette is a file of this machine: workers neither write nor read it');
  }
  if (since !== undefined) {
    throw new ProjectFailure(`run ${since} is a file of this machine: workers cannot take outputs from it`);
  }
}

function refuseSecret({ plan }: RunnableFlow): void {
  const secret = plan.inputs.find(({ type }) => type === 'secret');
  if (secret === undefined) return;
  throw new ProjectFailure(`the input "${secret.name}" is a secret, and secrets do not go to workers`, {
    help: 'Take it from a connection, which each worker has for itself.',
  });
}

function isReference(value: string): boolean {
  return /^\$\{[^.{}]+\.[^.{}]+\}$/.test(value);
}

function secretSettings(): ProjectFailure {
  return new ProjectFailure('a setting of the run holds a secret, and secrets do not go to workers', {
    help: 'Take it from a connection, which each worker has for itself.',
  });
}
