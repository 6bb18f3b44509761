import { earlierRunName, type RecordSettings } from '@unroll/project';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';

/** The run whose outputs stand in: `--since`, unless `--no-cache` leaves it alone. */
export function sinceOf(settings: Partial<RunSettings>, io: Io): string | undefined {
  const given = settings.since;
  return given === undefined || settings.cache === false ? undefined : earlierRunName(given, hostOf(settings, io));
}

/** What the command line says of a record that is begun. */
export function givenRecord(settings: Partial<RunSettings>, io: Io): Pick<RecordSettings, 'id' | 'since' | 'durable'> {
  const id = settings.name;
  const since = sinceOf(settings, io);
  return { ...(id === undefined ? {} : { id }), since, durable: settings.durable === true };
}
